#include "pdf/embedded_font.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "base/crypto.h"

namespace guildhall::pdf {
namespace {

// A tag of six letters says that a font is not complete. It depends on the glyphs.
std::string subset_name(const ShownFont& shown) {
  std::string glyphs;
  for (const std::uint32_t glyph : shown.glyphs) glyphs += fmt::format("{} ", glyph);
  std::string name;
  const Sha256 hash = sha256(glyphs);
  for (const unsigned char byte : std::span(hash).first(6)) name += static_cast<char>('A' + byte % 26);
  return name + "+" + shown.font.name();
}

// The advance of every glyph.
std::string widths(const ShownFont& shown) {
  std::string text = "[0 [";
  for (const std::uint32_t glyph : shown.glyphs) text += number(shown.font.advance(glyph)) + " ";
  return text + "]]";
}

// Two bytes for each glyph: its number in the font file.
std::string numbers_in_file(const Font::Subset& subset) {
  std::string bytes;
  for (const std::uint32_t number : subset.numbers) {
    bytes += static_cast<char>(number >> 8);
    bytes += static_cast<char>(number);
  }
  return bytes;
}

// Says which text each glyph shows, so that text can be copied and searched.
std::string text_map(const ShownFont& shown) {
  constexpr std::size_t lines_max = 100;  // of a block
  std::vector<std::string> lines;
  for (std::size_t i = 1; i < shown.texts.size(); ++i) {
    if (shown.texts[i].empty()) continue;
    const std::string text = text_object(shown.texts[i]);
    lines.push_back(fmt::format("<{:04X}> <{}\n", i, text.substr(std::string_view("<FEFF").size())));
  }
  std::string map =
      "/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n"
      "/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def\n"
      "/CMapName /Adobe-Identity-UCS def\n/CMapType 2 def\n"
      "1 begincodespacerange\n<0000> <FFFF>\nendcodespacerange\n";
  for (std::size_t begin = 0; begin < lines.size(); begin += lines_max) {
    const std::size_t end = std::min(begin + lines_max, lines.size());
    map += fmt::format("{} beginbfchar\n", end - begin);
    for (std::size_t i = begin; i < end; ++i) map += lines[i];
    map += "endbfchar\n";
  }
  return map + "endcmap\nCMapName currentdict /CMap defineresource pop\nend\nend\n";
}

std::string descriptor(const ShownFont& shown, std::string_view name, ObjectId file) {
  constexpr int symbolic = 4;
  const Font::Box box = shown.font.box();
  return fmt::format(
      "<< /Type /FontDescriptor /FontName /{} /Flags {} /FontBBox [{} {} {} {}] /ItalicAngle 0 /Ascent {} /Descent {}"
      " /CapHeight {} /StemV 80 /FontFile2 {} >>",
      name, symbolic, number(box.left), number(box.bottom), number(box.right), number(box.top),
      number(shown.font.ascent()), number(shown.font.descent()), number(shown.font.ascent() * 2 / 3), reference(file));
}

bool is_moved(const Glyph& glyph) {
  return glyph.x_offset != 0 || glyph.y_offset != 0;
}

}  // namespace

void write_font_object(Objects& objects, ObjectId id, const ShownFont& shown) {
  const Font::Subset subset = shown.font.subset(shown.glyphs);
  const std::string name = subset_name(shown);
  const ObjectId file = objects.add_stream(fmt::format("/Length1 {}", subset.bytes.size()), subset.bytes);
  const ObjectId described = objects.add(descriptor(shown, name, file));
  const ObjectId numbers = objects.add_stream("", numbers_in_file(subset));
  const ObjectId descendant =
      objects.add(fmt::format("<< /Type /Font /Subtype /CIDFontType2 /BaseFont /{} /CIDSystemInfo << /Registry (Adobe)"
                              " /Ordering (Identity) /Supplement 0 >> /FontDescriptor {} /W {} /CIDToGIDMap {} >>",
                              name, reference(described), widths(shown), reference(numbers)));
  const ObjectId texts = objects.add_stream("", text_map(shown));
  objects.write(id, fmt::format("<< /Type /Font /Subtype /Type0 /BaseFont /{} /Encoding /Identity-H"
                                " /DescendantFonts [{}] /ToUnicode {} >>",
                                name, reference(descendant), reference(texts)));
}

// Glyphs that follow each other with their usual distance are one string; TJ corrects other distances (kerning). A
// glyph that is moved, such as an accent, has a place of its own.
void append_glyphs(std::string& content, const GlyphRun& run, RunPlace place,
                   FunctionRef<std::uint32_t(const Glyph&)> number_of) {
  bool open = false;
  const auto close = [&] {
    if (open) content += ">] TJ\n";
    open = false;
  };
  for (const Glyph& glyph : run.glyphs) {
    if (is_moved(glyph)) close();
    if (!open) {
      content += fmt::format("1 0 0 1 {} {} Tm [<", number(place.x + glyph.x_offset * place.scale),
                             number(place.y + glyph.y_offset * place.scale));
      open = true;
    }
    content += fmt::format("{:04X}", number_of(glyph));
    const double correction = run.font->advance(glyph.number) - glyph.advance;
    if (is_moved(glyph)) {
      close();
    } else if (std::abs(correction) > 0.01) {
      content += fmt::format("> {} <", number(correction));
    }
    place.x += glyph.advance * place.scale;
  }
  close();
}

}  // namespace guildhall::pdf
