#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "base/function_ref.h"
#include "pdf/objects.h"
#include "pdf/shaped_text.h"

// How a font and its text are written into a document.
namespace guildhall::pdf {

// A font of a document and the glyphs that the document shows, each with its text. The number of a glyph in the
// document is its index here.
struct ShownFont {
  const Font& font;
  std::span<const std::uint32_t> glyphs;
  std::span<const std::string> texts;
};

// Writes the font with only these glyphs, under an id that was reserved.
void write_font_object(Objects& objects, ObjectId id, const ShownFont& shown);

// Where a run begins on the page, in points from the lower left corner, and the size of the text divided by 1000.
struct RunPlace {
  double x, y, scale;
};

// Appends the operators that show a run.
void append_glyphs(std::string& content, const GlyphRun& run, RunPlace place,
                   FunctionRef<std::uint32_t(const Glyph&)> number_of);

}  // namespace guildhall::pdf
