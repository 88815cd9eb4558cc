#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

struct hb_face_t;
struct hb_font_t;

namespace guildhall::pdf {

enum class Weight { regular, bold };

// A TrueType font. Immutable, so all threads use it at once.
class Font {
 public:
  // The bytes of a font file, which must live as long as the font. Throws std::runtime_error if they are no TrueType
  // font with outlines that a PDF can contain.
  explicit Font(std::string_view bytes);

  // The same for a file of the system, which is mapped into memory.
  static Font open(const std::string& path);

  Font(Font&&) = default;
  Font& operator=(Font&&) = default;

  bool has(char32_t character) const;

  hb_font_t* shaper() const { return font_.get(); }

  // Measures in thousandths of the size of the text.
  double scaled(std::int64_t units) const;
  double advance(std::uint32_t glyph) const;
  double ascent() const { return scaled(ascent_); }
  double descent() const { return scaled(descent_); }  // negative
  struct Box {
    double left, bottom, right, top;
  };
  Box box() const { return box_; }

  const std::string& name() const { return name_; }  // its PostScript name

  // A font file with only these glyphs of this font, numbered anew.
  struct Subset {
    std::string bytes;
    std::vector<std::uint32_t> numbers;  // of the glyphs, in the order in which they were given
  };
  Subset subset(std::span<const std::uint32_t> glyphs) const;

 private:
  struct Deleter {
    void operator()(hb_face_t* face) const;
    void operator()(hb_font_t* font) const;
  };

  explicit Font(hb_face_t* face);

  std::unique_ptr<hb_face_t, Deleter> face_;
  std::unique_ptr<hb_font_t, Deleter> font_;
  std::int64_t units_per_em_ = 1000;
  std::int64_t ascent_ = 0;
  std::int64_t descent_ = 0;
  Box box_{};
  std::string name_;
};

// The fonts of documents: one that is part of the program, with Latin, Greek and Cyrillic letters, and fonts of the
// system for the other scripts. One for the whole process; they are loaded when the first document is made.
class Fonts {
 public:
  // Files that are missing or cannot be read are left out: they are optional packages of the system.
  explicit Fonts(std::vector<std::string> paths) : paths_(std::move(paths)) {}

  // The fonts of a weight, each of which is used for the characters that those before it do not have.
  std::span<const Font* const> of(Weight weight) const;

 private:
  void load() const;

  std::vector<std::string> paths_;
  mutable std::once_flag loaded_;
  mutable std::vector<Font> fonts_;
  mutable std::vector<const Font*> regular_;
  mutable std::vector<const Font*> bold_;
};

}  // namespace guildhall::pdf
