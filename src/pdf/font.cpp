#include "pdf/font.h"

#include <array>
#include <hb-ot.h>
#include <hb-subset.h>
#include <hb.h>
#include <stdexcept>

#include "pdf/embedded_fonts.h"

namespace guildhall::pdf {
namespace {

struct SubsetDeleter {
  void operator()(hb_subset_input_t* input) const { hb_subset_input_destroy(input); }
  void operator()(hb_subset_plan_t* plan) const { hb_subset_plan_destroy(plan); }
  void operator()(hb_face_t* face) const { hb_face_destroy(face); }
  void operator()(hb_blob_t* blob) const { hb_blob_destroy(blob); }
};
template <class T>
using Owned = std::unique_ptr<T, SubsetDeleter>;

hb_face_t* face_of(hb_blob_t* blob) {
  const Owned<hb_blob_t> owned(blob);
  return hb_face_create(blob, 0);
}

std::string_view bytes_of(const Owned<hb_blob_t>& blob) {
  unsigned length = 0;
  const char* data = hb_blob_get_data(blob.get(), &length);
  return {data, length};
}

// The bounding box of all glyphs, which the table `head` has at a fixed place.
Font::Box box_of(hb_face_t* face, double units_per_em) {
  const Owned<hb_blob_t> blob(hb_face_reference_table(face, hb_tag_from_string("head", 4)));
  const std::string_view head = bytes_of(blob);
  constexpr std::size_t begin = 36;
  if (head.size() < begin + 8) throw std::runtime_error("The font has no table head.");
  const auto at = [&](std::size_t index) {
    const auto high = static_cast<unsigned char>(head[begin + 2 * index]);
    const auto low = static_cast<unsigned char>(head[begin + 2 * index + 1]);
    return 1000.0 * static_cast<std::int16_t>(high << 8 | low) / units_per_em;
  };
  return {at(0), at(1), at(2), at(3)};
}

std::string name_of(hb_face_t* face) {
  std::array<char, 128> text{};
  unsigned size = text.size();
  hb_ot_name_get_utf8(face, HB_OT_NAME_ID_POSTSCRIPT_NAME, nullptr, &size, text.data());
  std::string name;
  for (const char c : std::string_view(text.data(), size)) {
    if ((c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '-') name += c;
  }
  return name.empty() ? "Font" : name;
}

}  // namespace

void Font::Deleter::operator()(hb_face_t* face) const {
  hb_face_destroy(face);
}

void Font::Deleter::operator()(hb_font_t* font) const {
  hb_font_destroy(font);
}

Font::Font(std::string_view bytes)
    : Font(face_of(hb_blob_create(bytes.data(), static_cast<unsigned>(bytes.size()), HB_MEMORY_MODE_READONLY, nullptr,
                                  nullptr))) {}

Font Font::open(const std::string& path) {
  hb_blob_t* blob = hb_blob_create_from_file_or_fail(path.c_str());
  if (blob == nullptr) throw std::runtime_error("The font cannot be read: " + path);
  return Font(face_of(blob));
}

Font::Font(hb_face_t* face) : face_(face), font_(hb_font_create(face)) {
  const Owned<hb_blob_t> outlines(hb_face_reference_table(face, hb_tag_from_string("glyf", 4)));
  if (bytes_of(outlines).empty()) throw std::runtime_error("The font has no TrueType outlines.");
  units_per_em_ = hb_face_get_upem(face);
  hb_font_extents_t extents{};
  hb_font_get_h_extents(font_.get(), &extents);
  ascent_ = extents.ascender;
  descent_ = extents.descender;
  box_ = box_of(face, static_cast<double>(units_per_em_));
  name_ = name_of(face);
  hb_face_make_immutable(face);
  hb_font_make_immutable(font_.get());
}

bool Font::has(char32_t character) const {
  hb_codepoint_t glyph = 0;
  return hb_font_get_nominal_glyph(font_.get(), character, &glyph) != 0;
}

double Font::scaled(std::int64_t units) const {
  return 1000.0 * static_cast<double>(units) / static_cast<double>(units_per_em_);
}

double Font::advance(std::uint32_t glyph) const {
  return scaled(hb_font_get_glyph_h_advance(font_.get(), glyph));
}

// Hints and the tables for shaping are of no use in a document.
Font::Subset Font::subset(std::span<const std::uint32_t> glyphs) const {
  const Owned<hb_subset_input_t> input(hb_subset_input_create_or_fail());
  if (!input) throw std::bad_alloc();
  hb_subset_input_set_flags(input.get(), HB_SUBSET_FLAGS_NO_HINTING);
  hb_set_t* wanted = hb_subset_input_glyph_set(input.get());
  for (const std::uint32_t glyph : glyphs) hb_set_add(wanted, glyph);
  hb_set_t* dropped = hb_subset_input_set(input.get(), HB_SUBSET_SETS_DROP_TABLE_TAG);
  for (const char* tag : {"GSUB", "GPOS", "GDEF", "name", "post", "OS/2", "kern", "STAT", "MATH", "BASE"}) {
    hb_set_add(dropped, hb_tag_from_string(tag, 4));
  }
  const Owned<hb_subset_plan_t> plan(hb_subset_plan_create_or_fail(face_.get(), input.get()));
  const Owned<hb_face_t> face(plan ? hb_subset_plan_execute_or_fail(plan.get()) : nullptr);
  if (!face) throw std::runtime_error("The font cannot be divided: " + name_);
  const Owned<hb_blob_t> blob(hb_face_reference_blob(face.get()));
  Subset result{.bytes = std::string(bytes_of(blob)), .numbers = {}};
  const hb_map_t* numbers = hb_subset_plan_old_to_new_glyph_mapping(plan.get());
  for (const std::uint32_t glyph : glyphs) result.numbers.push_back(hb_map_get(numbers, glyph));
  return result;
}

std::span<const Font* const> Fonts::of(Weight weight) const {
  std::call_once(loaded_, [this] { load(); });
  return weight == Weight::bold ? bold_ : regular_;
}

void Fonts::load() const {
  fonts_.reserve(paths_.size() + 2);
  fonts_.emplace_back(embedded_regular_font());
  fonts_.emplace_back(embedded_bold_font());
  for (const std::string& path : paths_) {
    try {
      fonts_.push_back(Font::open(path));
    } catch (const std::runtime_error&) {
      continue;
    }
  }
  for (std::size_t i = 0; i < fonts_.size(); ++i) {
    if (i != 1) regular_.push_back(&fonts_[i]);
    if (i != 0) bold_.push_back(&fonts_[i]);
  }
}

}  // namespace guildhall::pdf
