#pragma once

#include <cstdint>
#include <string>
#include <string_view>

// Decoding and encoding of pictures. Uploads may be hostile, so this runs in a worker process only (picture_worker.h).
namespace guildhall {

struct ConvertedPicture {
  std::int64_t width = 0;  // of the large version
  std::int64_t height = 0;
  std::string large;      // WebP
  std::string thumbnail;  // WebP
};

// Why a picture was not converted; also the worker's exit code.
enum class PictureRefusal { unreadable = 10, too_large = 11, animated = 12 };

// Decodes a PNG, JPEG or WebP picture and encodes it in two sizes. Pictures are never enlarged. The orientation that a
// camera has stored in a JPEG is applied. No metadata is kept. Throws PictureRefusal.
ConvertedPicture convert_picture(std::string_view bytes);

}  // namespace guildhall
