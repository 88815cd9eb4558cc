#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pdf/font.h"

namespace guildhall::pdf {

// A glyph where it is drawn. Measures in thousandths of the size of the text.
struct Glyph {
  std::uint32_t number;
  double advance;   // to the next glyph
  double x_offset;  // of the glyph itself, for accents
  double y_offset;
  std::string text;  // the characters that it shows; empty: the glyph before shows them, too
};

// Glyphs of one font, from left to right.
struct GlyphRun {
  const Font* font;
  std::vector<Glyph> glyphs;
};

struct ShapedText {
  std::vector<GlyphRun> runs;  // from left to right
  double width = 0;            // in thousandths of the size of the text
};

// Chooses the glyphs of one line of text: with the letter forms of Arabic, the order of text that runs from right to
// left, and for each character the first font that has it. A character that no font has is shown as a question mark;
// emoji that no font has are left out.
ShapedText shape(std::span<const Font* const> fonts, std::string_view utf8);

// Divides text into lines of at most `width` (in thousandths of the size of the text), at spaces where possible. A line
// break of the text is kept.
std::vector<std::string> wrapped(std::span<const Font* const> fonts, std::string_view utf8, double width);

}  // namespace guildhall::pdf
