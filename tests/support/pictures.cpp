#include "support/pictures.h"

#include <cstdio>
#include <cstdlib>
#include <jpeglib.h>
#include <png.h>
#include <stdexcept>
#include <webp/decode.h>
#include <webp/encode.h>

namespace guildhall::test {
namespace {

using namespace std::string_view_literals;

std::string big_endian(std::uint32_t number) {
  std::string bytes;
  for (const int shift : {24, 16, 8, 0}) bytes += static_cast<char>(number >> shift & 0xff);
  return bytes;
}

std::string little_endian(std::uint32_t number, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i) text += static_cast<char>(number >> (8 * i) & 0xff);
  return text;
}

std::string png_chunk(std::string_view name, std::string_view data) {
  const std::string content = std::string(name) + std::string(data);
  std::uint32_t crc = 0xffffffff;
  for (const char c : content) {
    crc ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) crc = crc & 1 ? crc >> 1 ^ 0xedb88320 : crc >> 1;
  }
  return big_endian(static_cast<std::uint32_t>(data.size())) + content + big_endian(~crc);
}

constexpr std::string_view png_signature = "\x89PNG\r\n\x1a\n"sv;
constexpr std::size_t png_head_bytes = 33;  // the signature and IHDR

// EXIF data with an orientation, followed by other text.
std::string exif_of(int orientation, std::string_view metadata) {
  return std::string("Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0"sv) + static_cast<char>(orientation) +
         std::string("\0\0\0\0\0\0"sv) + std::string(metadata);
}

std::string riff_chunk(std::string_view name, std::string_view data) {
  std::string chunk = std::string(name) + little_endian(static_cast<std::uint32_t>(data.size()), 4) + std::string(data);
  if (data.size() % 2 == 1) chunk += '\0';
  return chunk;
}

}  // namespace

Pixels quarters(int width, int height) {
  Pixels pixels{width, height, std::vector<std::uint8_t>(static_cast<std::size_t>(width) * height * 4, 255)};
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const bool right = x >= width / 2, bottom = y >= height / 2;
      pixels.at(x, y)[0] = right == bottom ? 255 : 0;
      pixels.at(x, y)[1] = right ? 255 : 0;
      pixels.at(x, y)[2] = bottom ? 255 : 0;
    }
  }
  return pixels;
}

std::string corners(const Pixels& pixels) {
  std::string found;
  for (const auto& [across, down] : {std::pair(1, 1), std::pair(3, 1), std::pair(1, 3), std::pair(3, 3)}) {
    const std::uint8_t* color = pixels.at(pixels.width * across / 4, pixels.height * down / 4);
    const int bits = (color[0] > 128 ? 4 : 0) + (color[1] > 128 ? 2 : 0) + (color[2] > 128 ? 1 : 0);
    found += bits == 4 ? 'R' : bits == 2 ? 'G' : bits == 1 ? 'B' : bits == 7 ? 'W' : '?';
  }
  return found;
}

std::string png_of(const Pixels& pixels, std::string_view metadata) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(pixels.width);
  image.height = static_cast<png_uint_32>(pixels.height);
  image.format = PNG_FORMAT_RGBA;
  png_alloc_size_t size = 0;
  png_image_write_to_memory(&image, nullptr, &size, 0, pixels.rgba.data(), 0, nullptr);
  std::string bytes(size, '\0');
  if (png_image_write_to_memory(&image, bytes.data(), &size, 0, pixels.rgba.data(), 0, nullptr) == 0) {
    throw std::runtime_error("no PNG");
  }
  if (!metadata.empty())
    bytes.insert(png_head_bytes, png_chunk("tEXt", std::string("Comment\0"sv) + std::string(metadata)));
  return bytes;
}

std::string png_that_claims(std::uint32_t width, std::uint32_t height) {
  const std::string head = big_endian(width) + big_endian(height) + std::string("\x08\x06\0\0\0"sv);
  return std::string(png_signature) + png_chunk("IHDR", head) + png_chunk("IDAT", "\x78\x9c\x03\0\0\0\0\x01"sv) +
         png_chunk("IEND", "");
}

std::string jpeg_of(const Pixels& pixels, int orientation, std::string_view metadata) {
  jpeg_compress_struct info{};
  jpeg_error_mgr errors{};
  info.err = jpeg_std_error(&errors);
  jpeg_create_compress(&info);
  unsigned char* buffer = nullptr;
  unsigned long size = 0;
  jpeg_mem_dest(&info, &buffer, &size);
  info.image_width = static_cast<JDIMENSION>(pixels.width);
  info.image_height = static_cast<JDIMENSION>(pixels.height);
  info.input_components = 4;
  info.in_color_space = JCS_EXT_RGBA;
  jpeg_set_defaults(&info);
  jpeg_start_compress(&info, TRUE);
  if (orientation != 1 || !metadata.empty()) {
    const std::string exif = exif_of(orientation, metadata);
    jpeg_write_marker(&info, JPEG_APP0 + 1, reinterpret_cast<const JOCTET*>(exif.data()),
                      static_cast<unsigned>(exif.size()));
    jpeg_write_marker(&info, JPEG_COM, reinterpret_cast<const JOCTET*>(metadata.data()),
                      static_cast<unsigned>(metadata.size()));
  }
  for (int y = 0; y < pixels.height; ++y) {
    JSAMPROW row = const_cast<JSAMPROW>(pixels.at(0, y));
    jpeg_write_scanlines(&info, &row, 1);
  }
  jpeg_finish_compress(&info);
  jpeg_destroy_compress(&info);
  const std::string bytes(reinterpret_cast<const char*>(buffer), size);
  std::free(buffer);
  return bytes;
}

std::string webp_of(const Pixels& pixels, std::string_view metadata, bool animated) {
  std::uint8_t* buffer = nullptr;
  const std::size_t size =
      WebPEncodeRGBA(pixels.rgba.data(), pixels.width, pixels.height, pixels.width * 4, 90, &buffer);
  const std::string bytes(reinterpret_cast<const char*>(buffer), size);
  WebPFree(buffer);
  if (metadata.empty() && !animated) return bytes;
  const char flags = static_cast<char>((metadata.empty() ? 0 : 0x08) | (animated ? 0x02 : 0));
  const std::string head = std::string(1, flags) + std::string(3, '\0') +
                           little_endian(static_cast<std::uint32_t>(pixels.width - 1), 3) +
                           little_endian(static_cast<std::uint32_t>(pixels.height - 1), 3);
  std::string body = "WEBP" + riff_chunk("VP8X", head);
  if (animated) body += riff_chunk("ANIM", std::string(6, '\0'));
  body += bytes.substr(12);
  if (!metadata.empty()) body += riff_chunk("EXIF", metadata);
  return riff_chunk("RIFF", body);
}

Pixels pixels_of_webp(const std::string& webp) {
  Pixels pixels;
  std::uint8_t* decoded =
      WebPDecodeRGBA(reinterpret_cast<const std::uint8_t*>(webp.data()), webp.size(), &pixels.width, &pixels.height);
  if (decoded == nullptr) throw std::runtime_error("not WebP");
  pixels.rgba.assign(decoded, decoded + static_cast<std::size_t>(pixels.width) * pixels.height * 4);
  WebPFree(decoded);
  return pixels;
}

}  // namespace guildhall::test
