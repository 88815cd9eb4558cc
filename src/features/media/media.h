#pragma once

#include <vector>

#include "base/worker_pool.h"
#include "features/media/media_config.h"
#include "features/media/media_folder.h"
#include "features/media/media_store.h"
#include "features/media/picture_codec.h"
#include "http/quota.h"
#include "http/reply.h"
#include "outbox/verdict.h"

namespace guildhall {

// A converted picture that no record shows yet.
struct NewPicture {
  Picture shown;
  std::vector<MediaFile> files;
};

// Takes in uploaded pictures. One for the whole process; used by all loops at once.
class Media {
 public:
  // Throws std::runtime_error with a sentence for the operator if MEDIA_DIR cannot be used.
  explicit Media(const MediaConfig& config);

  // Converts an upload in a worker process, and writes its files to the media folder if there is one. The tenants take
  // turns. Throws not_a_picture and the failures of convert_in_worker(); unavailable if the tenant has too many uploads
  // in progress, or all tenants together have.
  Task<NewPicture> convert(const TenantId& tenant, std::string_view bytes, Instant now) const;

  // Writes the files of a picture that is converted already to the media folder, if there is one. Throws unavailable.
  NewPicture store(const TenantId& tenant, const ConvertedPicture& converted, Instant now) const;

  // Stores the files of the new picture in the transaction in which a record shows it, and deletes those of the one
  // that the record has shown. Throws PICTURE_STORAGE_FULL.
  void replace(Tx& tx, const TenantId& tenant, std::optional<Picture>& shown, const NewPicture& picture,
               Instant now) const;

  // Runs the write in which a record shows the picture. If the write fails for certain, the picture's files are deleted
  // from the media folder.
  Task<http::Reply> finish(const NewPicture& picture, Task<http::Reply> write) const;

  // The outbox's handler of media_delete_topic.
  outbox::Verdict delete_files(const outbox::Delivery& delivery) const;

  // The bytes of a stored file; nothing if they are missing.
  std::optional<std::string> content_of(const MediaFile& file) const;

 private:
  void discard(const NewPicture& picture) const;

  const MediaConfig& config_;
  std::optional<MediaFolder> folder_;
  mutable http::Quota upload_bytes_;  // key: tenant
  mutable WorkerPool workers_;
};

}  // namespace guildhall
