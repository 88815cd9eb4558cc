#include "sandbox/demo/pictures.h"

namespace guildhall::demo {

NewPicture stored_picture(const Media& media, const TenantId& tenant, std::string_view name, Instant now) {
  const auto pictures = embedded_pictures();
  const auto found = std::ranges::find(pictures, name, &EmbeddedPicture::name);
  if (found == pictures.end()) throw std::runtime_error(fmt::format("There is no picture {}.", name));
  return media.store(tenant,
                     {.width = picture_side,
                      .height = picture_side,
                      .large = std::string(found->large.text()),
                      .thumbnail = std::string(found->thumbnail.text())},
                     now);
}

}  // namespace guildhall::demo
