#include "features/media/picture.h"

#include "base/crypto.h"
#include "base/encoding.h"

namespace guildhall {
namespace {

constexpr std::string_view media_types[] = {"image/png", "image/jpeg", "image/webp"};
constexpr std::string_view url_begin = "/media/", url_end = ".webp";
constexpr std::size_t id_bytes = 16;
constexpr std::size_t id_length = 22;  // base64url of 16 bytes

bool is_media_id(std::string_view text) {
  return text.size() == id_length && from_base64url(text).has_value();
}

}  // namespace

std::span<const std::string_view> picture_media_types() {
  return media_types;
}

std::optional<PictureType> picture_type(std::string_view bytes) {
  using namespace std::string_view_literals;
  if (bytes.starts_with("\x89PNG\r\n\x1a\n"sv)) return PictureType::png;
  if (bytes.starts_with("\xff\xd8\xff"sv)) return PictureType::jpeg;
  if (bytes.starts_with("RIFF"sv) && bytes.size() >= 12 && bytes.substr(8, 4) == "WEBP"sv) return PictureType::webp;
  return std::nullopt;
}

std::string new_media_id() {
  return base64url(random_bytes(id_bytes));
}

std::string media_url(std::string_view id) {
  return fmt::format("{}{}{}", url_begin, id, url_end);
}

std::optional<std::string> media_id(std::string_view url) {
  if (!url.starts_with(url_begin) || !url.ends_with(url_end)) return std::nullopt;
  url.remove_prefix(url_begin.size());
  url.remove_suffix(std::min(url.size(), url_end.size()));
  return is_media_id(url) ? std::optional(std::string(url)) : std::nullopt;
}

Failure not_a_picture() {
  return {Failure::Kind::unsupported_media, "UNSUPPORTED_MEDIA_TYPE", "The body is neither PNG nor JPEG nor WebP."};
}

Failure picture_unreadable() {
  return bad_request("PICTURE_UNREADABLE",
                     "The picture is damaged, or cannot be read with the memory and time allowed.");
}

Failure picture_too_large() {
  return bad_request("PICTURE_TOO_LARGE",
                     fmt::format("The picture has more than {} megapixels, or a side of more than {} pixels.",
                                 picture_pixels_max / 1'000'000, picture_side_max));
}

Failure picture_animated() {
  return bad_request("PICTURE_ANIMATED", "The picture is an animation. Please send a single picture.");
}

Failure picture_storage_full() {
  return conflict("PICTURE_STORAGE_FULL", "The shop's pictures have reached their total size. Delete some first.");
}

}  // namespace guildhall
