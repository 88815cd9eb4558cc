#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// Pictures for tests, made with the same libraries that read them.
namespace guildhall::test {

struct Pixels {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgba;

  std::uint8_t* at(int x, int y) { return rgba.data() + (static_cast<std::size_t>(y) * width + x) * 4; }
  const std::uint8_t* at(int x, int y) const { return const_cast<Pixels*>(this)->at(x, y); }
};

// Red, green, blue and white quarters: top left, top right, bottom left, bottom right.
Pixels quarters(int width, int height);

// The colours of the four quarters in this order, as letters: "RGBW".
std::string corners(const Pixels& pixels);

// `metadata` is stored as text (PNG), as EXIF data and a comment (JPEG), or as EXIF data (WebP).
std::string png_of(const Pixels& pixels, std::string_view metadata = "");
std::string jpeg_of(const Pixels& pixels, int orientation = 1, std::string_view metadata = "");
std::string webp_of(const Pixels& pixels, std::string_view metadata = "", bool animated = false);

// A valid PNG of a few bytes that claims to have this size.
std::string png_that_claims(std::uint32_t width, std::uint32_t height);

Pixels pixels_of_webp(const std::string& webp);

}  // namespace guildhall::test
