#pragma once

#include "base/declared.h"
#include "base/ids.h"
#include "features/media/picture.h"
#include "storage/database.h"

// All SQL of stored picture files.
namespace guildhall {

struct MediaFile {
  TenantId tenant_id;
  std::string id;
  std::int64_t bytes = 0;
  std::optional<std::string> content;  // base64; nothing: a file in the media folder
  Instant created_at;
};
BOOST_DESCRIBE_STRUCT(MediaFile, (), (tenant_id, id, bytes, content, created_at))

// The file of a public path, which names no tenant: whoever knows the id may see it. Files of deleted tenants are not
// found.
Select<MediaFile> media_file_by_id(const std::string& id);

// Whether there is a file with this id, of whatever tenant.
bool has_media_file(Tx& tx, const std::string& id);

// Adds files and counts their bytes. Throws PICTURE_STORAGE_FULL if the tenant would have more than `bytes_max`.
void insert_media_files(Tx& tx, const TenantId& tenant, const std::vector<MediaFile>& files, std::int64_t bytes_max);

// Deletes the files of a picture that no record shows any more. Paths that are not the tenant's are ignored.
void forget_picture(Tx& tx, const TenantId& tenant, const Picture& picture);

// Ends the serving of a deleted tenant's files at once. delete_media_of_tenants() deletes them later, because there may
// be many.
void withdraw_media(Tx& tx, const TenantId& tenant);

// Deletes files of a deleted tenant, at most `limit`. Returns false if there was no such tenant.
bool delete_media_of_tenants(Tx& tx, std::int64_t limit);

}  // namespace guildhall
