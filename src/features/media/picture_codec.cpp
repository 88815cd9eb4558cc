#include "features/media/picture_codec.h"

#include <algorithm>
#include <csetjmp>
#include <cstdio>
#include <jerror.h>
#include <jpeglib.h>
#include <memory>
#include <optional>
#include <png.h>
#include <vector>
#include <webp/decode.h>
#include <webp/encode.h>

#include "features/media/picture.h"

namespace guildhall {
namespace {

const std::uint8_t* data_of(std::string_view bytes) {
  return reinterpret_cast<const std::uint8_t*>(bytes.data());
}

// Pixels in memory, each 32 bits of alpha, red, green and blue: the bytes B, G, R, A.
class Canvas {
 public:
  Canvas(std::int64_t width, std::int64_t height) {
    if (WebPPictureInit(&picture_) == 0) throw PictureRefusal::unreadable;
    picture_.use_argb = 1;
    picture_.width = static_cast<int>(width);
    picture_.height = static_cast<int>(height);
    if (WebPPictureAlloc(&picture_) == 0) throw PictureRefusal::unreadable;
  }
  Canvas(const Canvas&) = delete;
  Canvas& operator=(const Canvas&) = delete;
  ~Canvas() { WebPPictureFree(&picture_); }

  std::int64_t width() const { return picture_.width; }
  std::int64_t height() const { return picture_.height; }
  std::uint32_t* row(std::int64_t y) { return picture_.argb + y * picture_.argb_stride; }
  std::uint8_t* bytes(std::int64_t y) { return reinterpret_cast<std::uint8_t*>(row(y)); }
  int stride_bytes() const { return picture_.argb_stride * 4; }
  WebPPicture& picture() { return picture_; }

 private:
  WebPPicture picture_{};
};

using CanvasPtr = std::unique_ptr<Canvas>;

void require_size(std::int64_t width, std::int64_t height) {
  if (width <= 0 || height <= 0) throw PictureRefusal::unreadable;
  if (width > picture_side_max || height > picture_side_max || width * height > picture_pixels_max) {
    throw PictureRefusal::too_large;
  }
}

struct Size {
  std::int64_t width, height;
};

// The size with the same proportions whose longest side is at most `side_max`.
Size fitted(std::int64_t width, std::int64_t height, std::int64_t side_max) {
  const std::int64_t longest = std::max(width, height);
  if (longest <= side_max) return {width, height};
  const auto scaled = [&](std::int64_t side) {
    return std::max<std::int64_t>(1, (side * side_max + longest / 2) / longest);
  };
  return {scaled(width), scaled(height)};
}

CanvasPtr decode_png(std::string_view bytes) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  const std::unique_ptr<png_image, decltype(&png_image_free)> freed(&image, png_image_free);
  if (png_image_begin_read_from_memory(&image, bytes.data(), bytes.size()) == 0) throw PictureRefusal::unreadable;
  require_size(image.width, image.height);
  auto canvas = std::make_unique<Canvas>(image.width, image.height);
  image.format = PNG_FORMAT_BGRA;
  if (png_image_finish_read(&image, nullptr, canvas->bytes(0), canvas->stride_bytes(), nullptr) == 0) {
    throw PictureRefusal::unreadable;
  }
  return canvas;
}

CanvasPtr decode_webp(std::string_view bytes) {
  WebPDecoderConfig config;
  if (WebPInitDecoderConfig(&config) == 0) throw PictureRefusal::unreadable;
  if (WebPGetFeatures(data_of(bytes), bytes.size(), &config.input) != VP8_STATUS_OK) throw PictureRefusal::unreadable;
  if (config.input.has_animation != 0) throw PictureRefusal::animated;
  require_size(config.input.width, config.input.height);
  const Size size = fitted(config.input.width, config.input.height, large_side_max);
  auto canvas = std::make_unique<Canvas>(size.width, size.height);
  config.options.use_scaling = 1;
  config.options.scaled_width = static_cast<int>(size.width);
  config.options.scaled_height = static_cast<int>(size.height);
  config.output.colorspace = MODE_BGRA;
  config.output.is_external_memory = 1;
  config.output.u.RGBA.rgba = canvas->bytes(0);
  config.output.u.RGBA.stride = canvas->stride_bytes();
  config.output.u.RGBA.size = static_cast<std::size_t>(canvas->stride_bytes()) * static_cast<std::size_t>(size.height);
  if (WebPDecode(data_of(bytes), bytes.size(), &config) != VP8_STATUS_OK) throw PictureRefusal::unreadable;
  return canvas;
}

// libjpeg reports errors by calling a function that must not return.
struct JpegErrors : jpeg_error_mgr {
  std::jmp_buf escape;
  bool truncated = false;
};

[[noreturn]] void leave(j_common_ptr info) {
  std::longjmp(static_cast<JpegErrors*>(info->err)->escape, 1);
}

// Missing data is only a warning for libjpeg, which fills the rest with grey.
void note_warning(j_common_ptr info, int level) {
  const int code = info->err->msg_code;
  if (level < 0 && (code == JWRN_JPEG_EOF || code == JWRN_HIT_MARKER)) {
    static_cast<JpegErrors*>(info->err)->truncated = true;
  }
}

// The value of the tag Orientation (1 to 8) in the EXIF data of an APP1 marker; 1 if there is none.
int orientation_in(std::string_view exif) {
  using namespace std::string_view_literals;
  constexpr std::string_view begin = "Exif\0\0"sv;
  constexpr unsigned orientation_tag = 0x0112;
  if (!exif.starts_with(begin)) return 1;
  const std::string_view tiff = exif.substr(begin.size());
  const bool little = tiff.starts_with("II"sv);
  if (!little && !tiff.starts_with("MM"sv)) return 1;
  const auto number = [&](std::size_t at, std::size_t size) -> std::optional<std::uint32_t> {
    if (at > tiff.size() || size > tiff.size() - at) return std::nullopt;
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < size; ++i) {
      const auto byte = static_cast<unsigned char>(tiff[at + (little ? size - 1 - i : i)]);
      value = value << 8 | byte;
    }
    return value;
  };
  const auto directory = number(4, 4);
  const auto entries = directory ? number(*directory, 2) : std::nullopt;
  for (std::uint32_t i = 0; entries && i < *entries; ++i) {
    const std::size_t entry = std::size_t{*directory} + 2 + std::size_t{i} * 12;
    const auto tag = number(entry, 2), value = number(entry + 8, 2);
    if (!tag || !value) return 1;
    if (*tag == orientation_tag) return *value >= 1 && *value <= 8 ? static_cast<int>(*value) : 1;
  }
  return 1;
}

// A JPEG that is being read. Its functions return false, or null, after an error of the library.
class JpegReader {
 public:
  explicit JpegReader(std::string_view bytes) : bytes_(bytes) {
    info_.err = jpeg_std_error(&errors_);
    errors_.error_exit = leave;
    errors_.emit_message = note_warning;
    errors_.output_message = [](j_common_ptr) {};
  }
  JpegReader(const JpegReader&) = delete;
  JpegReader& operator=(const JpegReader&) = delete;
  ~JpegReader() { jpeg_destroy_decompress(&info_); }

  bool read_head() {
    if (setjmp(errors_.escape) != 0) return false;
    jpeg_create_decompress(&info_);
    jpeg_mem_src(&info_, data_of(bytes_), bytes_.size());
    jpeg_save_markers(&info_, JPEG_APP0 + 1, 0xffff);
    return jpeg_read_header(&info_, TRUE) == JPEG_HEADER_OK;
  }

  std::int64_t width() const { return info_.image_width; }
  std::int64_t height() const { return info_.image_height; }

  // Only before read_rows(), which ends with the library's deletion of the markers.
  int orientation() const {
    for (jpeg_saved_marker_ptr marker = info_.marker_list; marker != nullptr; marker = marker->next) {
      const int found = orientation_in({reinterpret_cast<const char*>(marker->data), marker->data_length});
      if (found != 1) return found;
    }
    return 1;
  }

  // Decodes a large picture at a fraction of its size, which saves memory and time. Returns the size of the output.
  std::optional<Size> begin() {
    if (setjmp(errors_.escape) != 0) return std::nullopt;
    is_cmyk_ = info_.jpeg_color_space == JCS_CMYK || info_.jpeg_color_space == JCS_YCCK;
    info_.out_color_space = is_cmyk_ ? JCS_CMYK : JCS_EXT_BGRA;
    const std::int64_t longest = std::max(width(), height());
    info_.scale_denom = 8;
    info_.scale_num = 1;
    while (info_.scale_num < 8 && longest * info_.scale_num / 8 < large_side_max) ++info_.scale_num;
    if (jpeg_start_decompress(&info_) == FALSE) return std::nullopt;
    return Size{info_.output_width, info_.output_height};
  }

  bool read_rows(Canvas& canvas) {
    if (setjmp(errors_.escape) != 0) return false;
    while (info_.output_scanline < info_.output_height) {
      const std::int64_t y = info_.output_scanline;
      JSAMPROW row = canvas.bytes(y);
      if (jpeg_read_scanlines(&info_, &row, 1) != 1) return false;
      if (is_cmyk_) convert_cmyk(row, canvas.width());
    }
    jpeg_finish_decompress(&info_);
    return !errors_.truncated;
  }

 private:
  // Programs that write CMYK also write Adobe's marker, and then store the inverted values.
  void convert_cmyk(std::uint8_t* row, std::int64_t pixels) const {
    const bool inverted = info_.saw_Adobe_marker != FALSE;
    for (std::int64_t i = 0; i < pixels; ++i, row += 4) {
      unsigned c = row[0], m = row[1], y = row[2], k = row[3];
      if (!inverted) c = 255 - c, m = 255 - m, y = 255 - y, k = 255 - k;
      row[0] = static_cast<std::uint8_t>(y * k / 255);
      row[1] = static_cast<std::uint8_t>(m * k / 255);
      row[2] = static_cast<std::uint8_t>(c * k / 255);
      row[3] = 255;
    }
  }

  std::string_view bytes_;
  jpeg_decompress_struct info_{};
  JpegErrors errors_{};
  bool is_cmyk_ = false;
};

struct Decoded {
  CanvasPtr canvas;
  int orientation = 1;
};

Decoded decode_jpeg(std::string_view bytes) {
  JpegReader reader(bytes);
  if (!reader.read_head()) throw PictureRefusal::unreadable;
  require_size(reader.width(), reader.height());
  const int orientation = reader.orientation();
  const auto size = reader.begin();
  if (!size) throw PictureRefusal::unreadable;
  auto canvas = std::make_unique<Canvas>(size->width, size->height);
  if (!reader.read_rows(*canvas)) throw PictureRefusal::unreadable;
  return {std::move(canvas), orientation};
}

Decoded decode(std::string_view bytes) {
  const auto type = picture_type(bytes);
  if (!type) throw PictureRefusal::unreadable;
  switch (*type) {
    case PictureType::png:
      return {decode_png(bytes)};
    case PictureType::webp:
      return {decode_webp(bytes)};
    case PictureType::jpeg:
      return decode_jpeg(bytes);
  }
  throw PictureRefusal::unreadable;
}

void shrink(Canvas& canvas, std::int64_t side_max) {
  const Size size = fitted(canvas.width(), canvas.height(), side_max);
  if (size.width == canvas.width() && size.height == canvas.height()) return;
  canvas.picture().use_argb = 1;  // the encoder resets it
  if (WebPPictureRescale(&canvas.picture(), static_cast<int>(size.width), static_cast<int>(size.height)) == 0) {
    throw PictureRefusal::unreadable;
  }
}

// Turns the picture so that it is shown as EXIF's orientation says: 2, 4, 5 and 7 are mirrored; 5 to 8 exchange width
// and height.
CanvasPtr upright(CanvasPtr canvas, int orientation) {
  if (orientation == 1) return canvas;
  const bool exchanged = orientation >= 5;
  const std::int64_t width = exchanged ? canvas->height() : canvas->width();
  const std::int64_t height = exchanged ? canvas->width() : canvas->height();
  const bool from_right = orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8;
  const bool from_bottom = orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7;
  auto turned = std::make_unique<Canvas>(width, height);
  for (std::int64_t y = 0; y < height; ++y) {
    for (std::int64_t x = 0; x < width; ++x) {
      const std::int64_t across = exchanged ? y : x, down = exchanged ? x : y;
      const std::int64_t source_x = from_right ? canvas->width() - 1 - across : across;
      const std::int64_t source_y = from_bottom ? canvas->height() - 1 - down : down;
      turned->row(y)[x] = canvas->row(source_y)[source_x];
    }
  }
  return turned;
}

// The writer keeps the bytes in memory of the library.
struct EncodedBytes : WebPMemoryWriter {
  EncodedBytes() { WebPMemoryWriterInit(this); }
  EncodedBytes(const EncodedBytes&) = delete;
  EncodedBytes& operator=(const EncodedBytes&) = delete;
  ~EncodedBytes() { WebPMemoryWriterClear(this); }
};

std::string encode_with(Canvas& canvas, float quality) {
  WebPConfig config;
  if (WebPConfigPreset(&config, WEBP_PRESET_DEFAULT, quality) == 0) throw PictureRefusal::unreadable;
  config.use_sharp_yuv = 1;
  config.alpha_quality = static_cast<int>(quality);
  EncodedBytes bytes;
  canvas.picture().use_argb = 1;
  canvas.picture().writer = WebPMemoryWrite;
  canvas.picture().custom_ptr = &bytes;
  if (WebPEncode(&config, &canvas.picture()) == 0) throw PictureRefusal::unreadable;
  return {reinterpret_cast<const char*>(bytes.mem), bytes.size};
}

// The best quality whose file is not too large.
std::string encode(Canvas& canvas) {
  for (const float quality : {82.0F, 60.0F, 30.0F, 5.0F, 0.0F}) {
    std::string bytes = encode_with(canvas, quality);
    if (bytes.size() <= stored_picture_bytes_max) return bytes;
  }
  throw PictureRefusal::too_large;
}

}  // namespace

ConvertedPicture convert_picture(std::string_view bytes) {
  Decoded decoded = decode(bytes);
  shrink(*decoded.canvas, large_side_max);
  const CanvasPtr canvas = upright(std::move(decoded.canvas), decoded.orientation);
  ConvertedPicture converted{
      .width = canvas->width(), .height = canvas->height(), .large = encode(*canvas), .thumbnail = {}};
  shrink(*canvas, thumbnail_side_max);
  converted.thumbnail = encode(*canvas);
  return converted;
}

}  // namespace guildhall
