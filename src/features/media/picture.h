#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/declared.h"
#include "base/failure.h"

// Pictures of products and shops as records show them, and their rules. Pure: no clock, no database.
namespace guildhall {

constexpr std::size_t picture_bytes_max = 5 << 20;           // of an upload
constexpr std::int64_t picture_pixels_max = 25'000'000;      // of an upload
constexpr std::int64_t picture_side_max = 65'535;            // of an upload, in pixels
constexpr std::int64_t large_side_max = 1280;                // of a stored picture, in pixels
constexpr std::int64_t thumbnail_side_max = 320;             // of its small version
constexpr std::size_t stored_picture_bytes_max = 512 << 10;  // of each of the two

// A stored picture. The paths begin with a slash: PUBLIC_BASE_URL comes before them.
struct Picture {
  std::string url;            // the large version
  std::string thumbnail_url;  // the small version
  std::int64_t width = 0;     // of the large version, in pixels
  std::int64_t height = 0;
};
BOOST_DESCRIBE_STRUCT(Picture, (), (url, thumbnail_url, width, height))

// The content types of uploads.
std::span<const std::string_view> picture_media_types();

enum class PictureType { png, jpeg, webp };

// The type of an upload, from its first bytes; its declared type does not matter.
std::optional<PictureType> picture_type(std::string_view bytes);

// A new id of a stored file. It is random, so that it can be neither guessed nor compared between tenants.
std::string new_media_id();

std::string media_url(std::string_view id);

// The id in a path like /media/<id>.webp; nothing for any other text.
std::optional<std::string> media_id(std::string_view url);

Failure not_a_picture();       // 415: neither PNG nor JPEG nor WebP
Failure picture_unreadable();  // damaged, or not readable within the limits
Failure picture_too_large();   // too many pixels
Failure picture_animated();
Failure picture_storage_full();  // the tenant's pictures have reached their limit

}  // namespace guildhall
