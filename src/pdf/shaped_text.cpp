#include "pdf/shaped_text.h"

#include <algorithm>
#include <fribidi/fribidi.h>
#include <hb.h>
#include <memory>
#include <unilbrk.h>
#include <unistr.h>

namespace guildhall::pdf {
namespace {

// A character of the line, with the font that shows it.
struct Character {
  char32_t value;
  const Font* font;
  FriBidiLevel level = 0;
};

bool is_emoji(char32_t character) {
  return character >= 0x1F000 || (character >= 0x2600 && character <= 0x27BF);
}

// Marks, joiners and the like belong to the character before them, in its font.
bool joins(char32_t character) {
  const hb_unicode_general_category_t category = hb_unicode_general_category(hb_unicode_funcs_get_default(), character);
  return category == HB_UNICODE_GENERAL_CATEGORY_NON_SPACING_MARK ||
         category == HB_UNICODE_GENERAL_CATEGORY_ENCLOSING_MARK || category == HB_UNICODE_GENERAL_CATEGORY_FORMAT;
}

const Font* font_for(std::span<const Font* const> fonts, char32_t character) {
  const auto found = std::ranges::find_if(fonts, [&](const Font* font) { return font->has(character); });
  return found == fonts.end() ? nullptr : *found;
}

std::vector<Character> characters_of(std::span<const Font* const> fonts, std::string_view utf8) {
  std::vector<Character> characters;
  const auto* at = reinterpret_cast<const std::uint8_t*>(utf8.data());
  const auto* end = at + utf8.size();
  while (at < end) {
    ucs4_t value = 0;
    at += u8_mbtouc(&value, at, static_cast<std::size_t>(end - at));
    if (value < ' ') value = ' ';
    if (joins(value)) {
      if (!characters.empty() && characters.back().font->has(value))
        characters.push_back({value, characters.back().font});
      continue;
    }
    const Font* font = font_for(fonts, value);
    if (font == nullptr && is_emoji(value)) continue;
    characters.push_back(font == nullptr ? Character{U'?', fonts.front()} : Character{value, font});
  }
  return characters;
}

// Finds out which parts run from right to left (the Unicode bidirectional algorithm).
void set_levels(std::vector<Character>& characters) {
  std::vector<FriBidiChar> text;
  for (const Character& character : characters) text.push_back(character.value);
  const auto length = static_cast<FriBidiStrIndex>(text.size());
  std::vector<FriBidiCharType> types(text.size());
  std::vector<FriBidiBracketType> brackets(text.size());
  std::vector<FriBidiLevel> levels(text.size());
  fribidi_get_bidi_types(text.data(), length, types.data());
  fribidi_get_bracket_types(text.data(), length, types.data(), brackets.data());
  FriBidiParType direction = FRIBIDI_PAR_ON;
  if (fribidi_get_par_embedding_levels_ex(types.data(), brackets.data(), length, &direction, levels.data()) == 0)
    return;
  for (std::size_t i = 0; i < characters.size(); ++i) characters[i].level = levels[i];
}

using Characters = std::span<const Character>;

// The parts of the line that have one font and one direction, from left to right.
std::vector<Characters> parts_of(Characters characters) {
  std::vector<Characters> parts;
  FriBidiLevel highest = 0;
  for (std::size_t begin = 0, end = 0; begin < characters.size(); begin = end) {
    const Character& first = characters[begin];
    highest = std::max(highest, first.level);
    while (end < characters.size() && characters[end].level == first.level && characters[end].font == first.font) ++end;
    parts.push_back(characters.subspan(begin, end - begin));
  }
  for (FriBidiLevel level = highest; level > 0; --level) {
    for (auto begin = parts.begin(); begin != parts.end();) {
      if (begin->front().level < level) {
        ++begin;
        continue;
      }
      const auto end = std::find_if(begin, parts.end(), [&](Characters part) { return part.front().level < level; });
      std::reverse(begin, end);
      begin = end;
    }
  }
  return parts;
}

std::string utf8_of(Characters characters) {
  std::string text;
  for (const Character& character : characters) {
    std::uint8_t bytes[6];
    const int length = u8_uctomb(bytes, character.value, sizeof bytes);
    text.append(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(std::max(length, 0)));
  }
  return text;
}

// The characters that each glyph shows: those from its cluster up to the next one in the order of the text.
void set_texts(GlyphRun& run, Characters part, std::span<const hb_glyph_info_t> infos) {
  std::vector<unsigned> starts;
  for (const hb_glyph_info_t& info : infos) starts.push_back(info.cluster);
  std::ranges::sort(starts);
  for (std::size_t i = 0; i < infos.size(); ++i) {
    const unsigned begin = infos[i].cluster;
    if (i > 0 && infos[i - 1].cluster == begin) continue;
    const auto next = std::ranges::upper_bound(starts, begin);
    const std::size_t end = next == starts.end() ? part.size() : *next;
    run.glyphs[i].text = utf8_of(part.subspan(begin, end - begin));
  }
}

GlyphRun shaped_part(Characters part) {
  const std::unique_ptr<hb_buffer_t, decltype(&hb_buffer_destroy)> buffer(hb_buffer_create(), hb_buffer_destroy);
  for (std::size_t i = 0; i < part.size(); ++i) {
    hb_buffer_add(buffer.get(), part[i].value, static_cast<unsigned>(i));
  }
  hb_buffer_set_content_type(buffer.get(), HB_BUFFER_CONTENT_TYPE_UNICODE);
  hb_buffer_set_flags(buffer.get(), HB_BUFFER_FLAG_REMOVE_DEFAULT_IGNORABLES);
  hb_buffer_set_direction(buffer.get(), part.front().level % 2 == 1 ? HB_DIRECTION_RTL : HB_DIRECTION_LTR);
  hb_buffer_guess_segment_properties(buffer.get());
  // Without ligatures, so that each Latin glyph shows one letter and text can be copied.
  constexpr unsigned end = ~0U;
  const hb_feature_t features[]{{hb_tag_from_string("liga", 4), 0, 0, end}, {hb_tag_from_string("clig", 4), 0, 0, end}};
  const Font* font = part.front().font;
  hb_shape(font->shaper(), buffer.get(), features, std::size(features));
  unsigned count = 0;
  const hb_glyph_info_t* infos = hb_buffer_get_glyph_infos(buffer.get(), &count);
  const hb_glyph_position_t* positions = hb_buffer_get_glyph_positions(buffer.get(), &count);
  GlyphRun run{font, {}};
  for (unsigned i = 0; i < count; ++i) {
    run.glyphs.push_back({infos[i].codepoint,
                          font->scaled(positions[i].x_advance),
                          font->scaled(positions[i].x_offset),
                          font->scaled(positions[i].y_offset),
                          {}});
  }
  set_texts(run, part, {infos, count});
  return run;
}

// The text up to each place where a line may end.
std::vector<std::string_view> pieces_of(std::string_view line) {
  std::vector<char> breaks(line.size());
  u8_possible_linebreaks(reinterpret_cast<const std::uint8_t*>(line.data()), line.size(), "UTF-8", breaks.data());
  std::vector<std::string_view> pieces;
  std::size_t begin = 0;
  for (std::size_t i = 1; i <= line.size(); ++i) {
    if (i < line.size() && breaks[i] != UC_BREAK_POSSIBLE && breaks[i] != UC_BREAK_MANDATORY) continue;
    pieces.push_back(line.substr(begin, i - begin));
    begin = i;
  }
  return pieces;
}

std::string_view without_end_spaces(std::string_view text) {
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

class Wrapper {
 public:
  Wrapper(std::span<const Font* const> fonts, double width) : fonts_(fonts), width_(width) {}

  void add_line(std::string_view line) {
    for (const std::string_view piece : pieces_of(line)) add_piece(piece);
    end_line();
  }

  std::vector<std::string> lines() && { return std::move(lines_); }

 private:
  double width_of(std::string_view text) const { return shape(fonts_, text).width; }

  void add_piece(std::string_view piece) {
    const double wide = width_of(piece), shown = width_of(without_end_spaces(piece));
    if (used_ > 0 && used_ + shown > width_) end_line();
    if (shown > width_) {
      divide(piece);
      return;
    }
    line_ += piece;
    used_ += wide;
  }

  // A word that is longer than a line is broken between its characters.
  void divide(std::string_view word) {
    while (!word.empty()) {
      const auto* at = reinterpret_cast<const std::uint8_t*>(word.data());
      const std::string_view character =
          word.substr(0, static_cast<std::size_t>(std::max(1, u8_mblen(at, word.size()))));
      const double wide = width_of(character);
      if (used_ > 0 && used_ + wide > width_) end_line();
      line_ += character;
      used_ += wide;
      word.remove_prefix(character.size());
    }
  }

  void end_line() {
    lines_.emplace_back(without_end_spaces(line_));
    line_.clear();
    used_ = 0;
  }

  std::span<const Font* const> fonts_;
  double width_;
  std::string line_;
  double used_ = 0;
  std::vector<std::string> lines_;
};

}  // namespace

ShapedText shape(std::span<const Font* const> fonts, std::string_view utf8) {
  std::vector<Character> characters = characters_of(fonts, utf8);
  if (std::ranges::any_of(characters, [](const Character& each) { return each.value >= 0x590; }))
    set_levels(characters);
  ShapedText shaped;
  for (const Characters part : parts_of(characters)) {
    shaped.runs.push_back(shaped_part(part));
    for (const Glyph& glyph : shaped.runs.back().glyphs) shaped.width += glyph.advance;
  }
  return shaped;
}

std::vector<std::string> wrapped(std::span<const Font* const> fonts, std::string_view utf8, double width) {
  Wrapper wrapper(fonts, width);
  while (true) {
    const std::size_t end = utf8.find('\n');
    wrapper.add_line(utf8.substr(0, end));
    if (end == std::string_view::npos) return std::move(wrapper).lines();
    utf8.remove_prefix(end + 1);
  }
}

}  // namespace guildhall::pdf
