#include "features/media/media.h"

#include "base/encoding.h"
#include "base/log.h"
#include "features/media/picture_converter.h"

namespace guildhall {
namespace {

// Each worker process takes a core and some 100 MiB, 384 MiB at most.
constexpr int worker_threads = 2;
constexpr std::size_t queued_max = 16;
constexpr std::size_t upload_bytes_total_max = 64 << 20;
constexpr std::size_t upload_bytes_tenant_max = 16 << 20;

// A full or missing disk is no mistake of the client.
void write_file(const MediaFolder& folder, const std::string& id, std::string_view content) {
  try {
    folder.write(id, content);
  } catch (const std::runtime_error& error) {
    log::error("A picture cannot be written to MEDIA_DIR.", {{"error", error.what()}});
    throw unavailable("The picture cannot be stored at the moment.");
  }
}

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
  co_return co_await workers_.run([&] { return store(tenant, convert_in_worker(bytes), now); }, tenant.text());
}

NewPicture Media::store(const TenantId& tenant, const ConvertedPicture& converted, Instant now) const {
  NewPicture picture{.shown = {.url = {}, .thumbnail_url = {}, .width = converted.width, .height = converted.height},
                     .files = {}};
  const auto add = [&](const std::string& content) {
    MediaFile file{.tenant_id = tenant,
                   .id = new_media_id(),
                   .bytes = std::ssize(content),
                   .content = std::nullopt,
                   .created_at = now};
    if (folder_) {
      write_file(*folder_, file.id, content);
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

void Media::replace(Tx& tx, const TenantId& tenant, std::optional<Picture>& shown, const NewPicture& picture,
                    Instant now) const {
  if (shown) forget_picture(tx, tenant, *shown, now);
  insert_media_files(tx, tenant, picture.files, config_.media_tenant_mib_max << 20);
  shown = picture.shown;
}

Task<http::Reply> Media::finish(const NewPicture& picture, Task<http::Reply> write) const {
  try {
    co_return co_await std::move(write);
  } catch (const Failure& failure) {
    // After `unavailable` the write may have been committed.
    if (failure.kind != Failure::Kind::unavailable) discard(picture);
    throw;
  }
}

// Otherwise uploads that are refused could fill the disk.
void Media::discard(const NewPicture& picture) const {
  if (!folder_) return;
  try {
    for (const MediaFile& file : picture.files) folder_->remove(file.id);
  } catch (const std::runtime_error& error) {
    log::warn("A file in MEDIA_DIR cannot be deleted.", {{"error", error.what()}});
  }
}

outbox::Verdict Media::delete_files(const outbox::Delivery& delivery) const {
  const auto deletion = from_json<MediaDeletion>(delivery.payload);
  if (!folder_) return outbox::dead("MEDIA_DIR is not set.");
  try {
    for (const std::string& id : deletion.ids) {
      if (media_id(media_url(id))) folder_->remove(id);
    }
  } catch (const std::runtime_error& error) {
    return outbox::retry(error.what());
  }
  return outbox::done();
}

std::optional<std::string> Media::content_of(const MediaFile& file) const {
  if (file.content) return from_base64(*file.content);
  return folder_ ? folder_->read(file.id) : std::nullopt;
}

}  // namespace guildhall
