#pragma once

#include <string_view>

#include "features/console/embedded_files.h"
#include "features/media/media.h"

// The pictures of the demo shop, which cmake/demo_pictures.cmake embeds from the folder demo/pictures.
namespace guildhall::demo {

struct EmbeddedPicture {
  std::string_view name;  // mug
  EmbeddedBytes large;    // WebP, 800 × 800
  EmbeddedBytes thumbnail;
};
constexpr std::int64_t picture_side = 800;

std::span<const EmbeddedPicture> embedded_pictures();

// Throws std::runtime_error if there is none with this name.
NewPicture stored_picture(const Media& media, const TenantId& tenant, std::string_view name, Instant now);

}  // namespace guildhall::demo
