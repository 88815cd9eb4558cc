// Any bytes as an uploaded picture: they are refused, or become two WebP files within the limits.
#include <cstdint>
#include <cstdlib>

#include "features/media/picture.h"
#include "features/media/picture_codec.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace guildhall;
  const auto is_stored = [](const std::string& file) {
    return file.size() <= stored_picture_bytes_max && picture_type(file) == PictureType::webp;
  };
  try {
    const ConvertedPicture picture = convert_picture({reinterpret_cast<const char*>(data), size});
    if (picture.width < 1 || picture.height < 1 || picture.width > large_side_max || picture.height > large_side_max) {
      std::abort();
    }
    if (!is_stored(picture.large) || !is_stored(picture.thumbnail)) std::abort();
  } catch (const PictureRefusal&) {
  }
  return 0;
}
