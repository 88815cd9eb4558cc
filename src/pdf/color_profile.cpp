#include "pdf/color_profile.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <vector>

namespace guildhall::pdf {
namespace {

void append_number(std::string& out, std::uint32_t value, int bytes) {
  for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8) out += static_cast<char>(value >> shift);
}

// A fixed-point number with 16 bits after the point.
std::uint32_t fixed(double value) {
  return static_cast<std::uint32_t>(static_cast<std::int32_t>(std::lround(value * 65536)));
}

using Xyz = std::array<double, 3>;
constexpr Xyz white{0.9642, 1.0, 0.8249};  // D50, to which the primaries of sRGB below are adapted
constexpr Xyz red{0.43607, 0.22249, 0.01392}, green{0.38515, 0.71687, 0.09708}, blue{0.14307, 0.06061, 0.71410};

std::string xyz_element(const Xyz& value) {
  std::string out("XYZ \0\0\0\0", 8);
  for (const double part : value) append_number(out, fixed(part), 4);
  return out;
}

// The curve of sRGB from a stored value to light, in 1024 steps.
std::string curve_element() {
  constexpr int steps = 1024;
  std::string out("curv\0\0\0\0", 8);
  append_number(out, steps, 4);
  for (int i = 0; i < steps; ++i) {
    const double value = i / (steps - 1.0);
    const double light = value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
    append_number(out, static_cast<std::uint32_t>(std::lround(light * 65535)), 2);
  }
  return out;
}

std::string text_element(std::string_view text) {
  return std::string("text\0\0\0\0", 8).append(text) + '\0';
}

std::string description_element(std::string_view text) {
  std::string out("desc\0\0\0\0", 8);
  append_number(out, static_cast<std::uint32_t>(text.size() + 1), 4);
  out.append(text);
  out.append(1 + 4 + 4 + 2 + 1 + 67, '\0');  // the end, and no text in Unicode and in the code of Macintosh
  return out;
}

struct Element {
  std::string_view tag;
  std::string bytes;
};

std::string header(std::uint32_t size) {
  std::string out;
  append_number(out, size, 4);
  out.append(4, '\0');
  append_number(out, 0x02100000, 4);  // version 2.1
  out.append("mntrRGB XYZ ");
  for (const std::uint32_t part : {2026u, 1u, 1u, 0u, 0u, 0u}) append_number(out, part, 2);
  out.append("acsp").append(28, '\0');  // no platform, device or flags; perceptual
  for (const double part : white) append_number(out, fixed(part), 4);
  out.append(128 - out.size(), '\0');
  return out;
}

}  // namespace

std::string srgb_profile() {
  const std::string curve = curve_element();
  const std::vector<Element> elements{{"desc", description_element("sRGB IEC61966-2.1")},
                                      {"cprt", text_element("No copyright, use freely")},
                                      {"wtpt", xyz_element(white)},
                                      {"rXYZ", xyz_element(red)},
                                      {"gXYZ", xyz_element(green)},
                                      {"bXYZ", xyz_element(blue)},
                                      {"rTRC", curve},
                                      {"gTRC", curve},
                                      {"bTRC", curve}};
  std::string table, data;
  append_number(table, static_cast<std::uint32_t>(elements.size()), 4);
  const std::size_t begin = 128 + 4 + 12 * elements.size();
  std::uint32_t curve_offset = 0;
  for (const Element& element : elements) {
    const bool repeated = element.tag.ends_with("TRC") && curve_offset != 0;
    const auto offset = repeated ? curve_offset : static_cast<std::uint32_t>(begin + data.size());
    if (element.tag == "rTRC") curve_offset = offset;
    table.append(element.tag);
    append_number(table, offset, 4);
    append_number(table, static_cast<std::uint32_t>(element.bytes.size()), 4);
    if (repeated) continue;
    data.append(element.bytes);
    data.append((4 - data.size() % 4) % 4, '\0');
  }
  return header(static_cast<std::uint32_t>(begin + data.size())) + table + data;
}

}  // namespace guildhall::pdf
