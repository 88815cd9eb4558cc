#include "features/media/media.h"

#include "base/encoding.h"
#include "features/media/picture_converter.h"

namespace guildhall {
namespace {

// Each worker process takes a core and some 100 MiB, 384 MiB at most.
constexpr int worker_threads = 2;
constexpr std::size_t queued_max = 16;
constexpr std::size_t upload_bytes_total_max = 64 << 20;
constexpr std::size_t upload_bytes_tenant_max = 16 << 20;

}  // namespace

Media::Media(const MediaConfig& config)
    : config_(config),
      upload_bytes_(upload_bytes_total_max, upload_bytes_tenant_max),
      workers_(worker_threads, queued_max) {
  if (config.media_dir.empty()) return;
  folder_.emplace(config.media_dir);
  folder_->create();
}

Task<NewPicture> Media::convert(const TenantId& tenant, std::string_view bytes, Instant now) const {
  if (!picture_type(bytes)) throw not_a_picture();
  const auto hold = upload_bytes_.take(tenant.text(), bytes.size());
  if (!hold) throw unavailable("Too many pictures are being uploaded; please try again.");
  co_return co_await workers_.run([&] { return stored(tenant, bytes, now); }, tenant.text());
}

NewPicture Media::stored(const TenantId& tenant, std::string_view bytes, Instant now) const {
  const ConvertedPicture converted = convert_in_worker(bytes);
  NewPicture picture{.shown = {.url = {}, .thumbnail_url = {}, .width = converted.width, .height = converted.height},
                     .files = {}};
  const auto add = [&](const std::string& content) {
    MediaFile file{.tenant_id = tenant,
                   .id = new_media_id(),
                   .bytes = std::ssize(content),
                   .content = std::nullopt,
                   .created_at = now};
    if (folder_) {
      folder_->write(file.id, content);
    } else {
      file.content = base64(content);
    }
    picture.files.push_back(std::move(file));
    return media_url(picture.files.back().id);
  };
  picture.shown.url = add(converted.large);
  picture.shown.thumbnail_url = add(converted.thumbnail);
  return picture;
}

void Media::replace(Tx& tx, const TenantId& tenant, std::optional<Picture>& shown, const NewPicture& picture) const {
  if (shown) forget_picture(tx, tenant, *shown);
  insert_media_files(tx, tenant, picture.files, config_.media_tenant_mib_max << 20);
  shown = picture.shown;
}

std::optional<std::string> Media::content_of(const MediaFile& file) const {
  if (file.content) return from_base64(*file.content);
  return folder_ ? folder_->read(file.id) : std::nullopt;
}

}  // namespace guildhall
