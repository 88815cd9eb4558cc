#include "pdf/document.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <stdexcept>

#include "base/encoding.h"
#include "pdf/color_profile.h"
#include "pdf/embedded_font.h"

namespace guildhall::pdf {
namespace {

std::string color_text(const Color& color) {
  return fmt::format("{} {} {}", number(color.red), number(color.green), number(color.blue));
}

// A name of the file; characters with a meaning are written by their numbers.
std::string name_object(std::string_view text) {
  std::string name = "/";
  for (const char c : text) {
    const bool plain =
        (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '.';
    if (plain) {
      name += c;
    } else {
      fmt::format_to(std::back_inserter(name), "#{:02X}", static_cast<unsigned char>(c));
    }
  }
  return name;
}

}  // namespace

Color Color::of(std::string_view text) {
  const auto bytes = text.starts_with('#') ? from_hex(text.substr(1)) : std::nullopt;
  if (!bytes || bytes->size() != 3) throw std::invalid_argument("not a colour");
  const auto part = [&](std::size_t i) { return static_cast<unsigned char>((*bytes)[i]) / 255.0; };
  return {part(0), part(1), part(2)};
}

void Page::text(double x, double baseline, std::string_view utf8, const Style& style, Align align) {
  const ShapedText shaped = shape(document_.fonts_.of(style.weight), utf8);
  const double scale = style.size / 1000;
  if (align != Align::left) x -= shaped.width * scale / (align == Align::center ? 2 : 1);
  content_ += fmt::format("BT {} rg\n", color_text(style.color));
  const double y = size_.height - baseline;
  for (const GlyphRun& run : shaped.runs) {
    Document::UsedFont& font = document_.used(*run.font);
    content_ += fmt::format("/{} {} Tf\n", font.name, number(style.size));
    append_glyphs(content_, run, {x, y, scale}, [&](const Glyph& glyph) { return Document::number_of(font, glyph); });
    for (const Glyph& glyph : run.glyphs) x += glyph.advance * scale;
  }
  content_ += "ET\n";
}

void Page::line(double x1, double y1, double x2, double y2, const Color& color, double width) {
  content_ += fmt::format("{} w {} RG {} {} m {} {} l S\n", number(width), color_text(color), number(x1),
                          number(size_.height - y1), number(x2), number(size_.height - y2));
}

void Page::rectangle(double x, double y, double width, double height, const Color& color) {
  content_ += fmt::format("{} rg {} {} {} {} re f\n", color_text(color), number(x), number(size_.height - y - height),
                          number(width), number(height));
}

void Page::image(double x, double y, double width, double height, const Image& image) {
  content_ += fmt::format("q {} 0 0 {} {} {} cm /I{} Do Q\n", number(width), number(height), number(x),
                          number(size_.height - y - height), image.number);
}

Document::Document(const Fonts& fonts, DocumentInfo info) : fonts_(fonts), info_(std::move(info)) {}

Page& Document::add_page(PageSize size) {
  return pages_.emplace_back(*this, size);
}

static std::string image_entries(int width, int height) {
  return fmt::format("/Type /XObject /Subtype /Image /Width {} /Height {} /ColorSpace /DeviceRGB /BitsPerComponent 8",
                     width, height);
}

Image Document::add_image(int width, int height, std::string_view pixels) {
  images_.push_back(objects_.add_stream(image_entries(width, height), pixels));
  return {static_cast<int>(images_.size()), width, height};
}

Image Document::add_jpeg(int width, int height, std::string_view bytes) {
  images_.push_back(objects_.add_uncompressed_stream(image_entries(width, height) + " /Filter /DCTDecode", bytes));
  return {static_cast<int>(images_.size()), width, height};
}

void Document::attach(const Attachment& attachment) {
  const ObjectId file = objects_.add_stream(
      fmt::format("/Type /EmbeddedFile /Subtype {} /Params << /Size {} /ModDate ({}) >>",
                  name_object(attachment.media_type), attachment.bytes.size(), date_object(attachment.modified)),
      attachment.bytes);
  const std::string name = text_object(attachment.name);
  const ObjectId id = objects_.add(
      fmt::format("<< /Type /Filespec /F {0} /UF {0} /Desc {1} /AFRelationship {2} /EF << /F {3} /UF {3} >> >>", name,
                  text_object(attachment.description), name_object(attachment.relationship), reference(file)));
  attachments_.push_back({attachment.name, id});
}

double Document::width_of(std::string_view utf8, const Style& style) const {
  return shape(fonts_.of(style.weight), utf8).width * style.size / 1000;
}

std::vector<std::string> Document::wrap(std::string_view utf8, const Style& style, double width) const {
  return wrapped(fonts_.of(style.weight), utf8, width * 1000 / style.size);
}

Document::UsedFont& Document::used(const Font& font) {
  const auto [found, is_new] = used_fonts_.try_emplace(&font);
  if (is_new) {
    found->second.id = objects_.reserve();
    found->second.name = fmt::format("F{}", used_fonts_.size());
    found->second.glyphs.push_back(0);  // number 0 is the glyph for a character that the font does not have
    found->second.texts.emplace_back();
    font_order_.push_back(&font);
  }
  return found->second;
}

std::uint32_t Document::number_of(UsedFont& font, const Glyph& glyph) {
  const auto [found, is_new] = font.numbers.try_emplace(glyph.number, static_cast<std::uint32_t>(font.glyphs.size()));
  if (is_new) {
    font.glyphs.push_back(glyph.number);
    font.texts.push_back(glyph.text);
  }
  return found->second;
}

std::string Document::resources() const {
  std::string text = "<< /Font <<";
  for (const Font* font : font_order_) {
    const UsedFont& used = used_fonts_.at(font);
    text += fmt::format(" /{} {}", used.name, reference(used.id));
  }
  text += " >> /XObject <<";
  for (std::size_t i = 0; i < images_.size(); ++i) text += fmt::format(" /I{} {}", i + 1, reference(images_[i]));
  return text + " >> >>";
}

std::string Document::catalog(ObjectId pages) {
  const ObjectId profile = objects_.add_stream("/N 3", srgb_profile());
  const ObjectId metadata = objects_.add_uncompressed_stream("/Type /Metadata /Subtype /XML", xmp_of(info_));
  std::string text = fmt::format(
      "<< /Type /Catalog /Pages {} /Metadata {} /Lang ({}) /ViewerPreferences << /DisplayDocTitle true >>"
      " /OutputIntents [<< /Type /OutputIntent /S /GTS_PDFA1 /OutputConditionIdentifier (sRGB) /Info (sRGB)"
      " /DestOutputProfile {} >>]",
      reference(pages), reference(metadata), info_.language, reference(profile));
  if (!attachments_.empty()) {
    std::ranges::sort(attachments_, {}, &Attached::name);
    std::vector<ObjectId> ids;
    std::string names;
    for (const Attached& each : attachments_) {
      ids.push_back(each.id);
      names += fmt::format("{} {} ", text_object(each.name), reference(each.id));
    }
    text += fmt::format(" /AF {} /Names << /EmbeddedFiles << /Names [{}] >> >>", references(ids), names);
  }
  return text + " >>";
}

std::string Document::finish() && {
  for (const Font* font : font_order_) {
    const UsedFont& used = used_fonts_.at(font);
    write_font_object(objects_, used.id, {*font, used.glyphs, used.texts});
  }
  const ObjectId all = objects_.reserve(), shared = objects_.add(resources());
  std::vector<ObjectId> ids;
  for (const Page& page : pages_) {
    const ObjectId content = objects_.add_stream("", page.content_);
    ids.push_back(objects_.add(
        fmt::format("<< /Type /Page /Parent {} /MediaBox [0 0 {} {}] /Resources {} /Contents {} >>", reference(all),
                    number(page.size_.width), number(page.size_.height), reference(shared), reference(content))));
  }
  objects_.write(all, fmt::format("<< /Type /Pages /Kids {} /Count {} >>", references(ids), ids.size()));
  const ObjectId root = objects_.add(catalog(all));
  return std::move(objects_).finish(root, objects_.add(info_of(info_)));
}

}  // namespace guildhall::pdf
