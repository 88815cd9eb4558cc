#include "features/media/media_store.h"

#include "features/media/media_import.h"
#include "outbox/outbox.h"
#include "storage/columns.h"

namespace guildhall {

static const Sql by_id_sql(
    "SELECT f.tenant_id, f.id, f.bytes, f.content, f.created_at FROM media_files f"
    " JOIN media_usage u ON u.tenant_id = f.tenant_id WHERE f.id = $1 AND NOT u.deleted");

Select<MediaFile> media_file_by_id(const std::string& id) {
  return {{&by_id_sql, params(id)}, read_row<MediaFile>};
}

static const Sql exists_sql("SELECT 1 FROM media_files WHERE id = $1");

bool has_media_file(Tx& tx, const std::string& id) {
  return tx.run({&exists_sql, params(id)}) > 0;
}

static const Sql count_sql(
    "INSERT INTO media_usage (tenant_id, bytes, deleted) VALUES ($1, $2, false)"
    " ON CONFLICT (tenant_id) DO UPDATE SET bytes = media_usage.bytes + excluded.bytes"
    " WHERE media_usage.bytes + excluded.bytes <= $3");
static const Sql insert_sql(insert_into<MediaFile>("media_files"));

void insert_media_files(Tx& tx, const TenantId& tenant, const std::vector<MediaFile>& files, std::int64_t bytes_max) {
  std::int64_t bytes = 0;
  for (const MediaFile& file : files) bytes += file.bytes;
  if (bytes > bytes_max || tx.run({&count_sql, params(tenant, bytes, bytes_max)}) == 0) throw picture_storage_full();
  for (const MediaFile& file : files) tx.later({&insert_sql, values_of(file)});
}

static const Sql count_imported_media_sql(
    "INSERT INTO media_usage (tenant_id, bytes, deleted)"
    " SELECT tenant_id, CAST(SUM(bytes) AS bigint), false FROM media_files WHERE tenant_id = $1 GROUP BY tenant_id");

void count_imported_media(Tx& tx, const TenantId& tenant) {
  tx.run({&count_imported_media_sql, params(tenant)});
}

// Not `content IS NULL`, which SQLite 3.40 always takes for false here.
static const Sql erase_sql("DELETE FROM media_files WHERE tenant_id = $1 AND id = $2 RETURNING bytes, length(content)");
static const Sql discount_sql("UPDATE media_usage SET bytes = bytes - $2 WHERE tenant_id = $1");

void forget_picture(Tx& tx, const TenantId& tenant, const Picture& picture, Instant now) {
  std::int64_t bytes = 0;
  MediaDeletion in_folder;
  for (const std::string& url : {picture.url, picture.thumbnail_url}) {
    const auto id = media_id(url);
    if (!id) continue;
    tx.run({&erase_sql, params(tenant, *id)}, [&](const Row& row) {
      bytes += row.integer(0);
      if (row.is_null(1)) in_folder.ids.push_back(*id);
    });
  }
  tx.later({&discount_sql, params(tenant, bytes)});
  if (in_folder.ids.empty()) return;
  outbox::append(
      tx, {.tenant = tenant, .topic = std::string(media_delete_topic), .payload = to_json(in_folder), .due = now}, now);
}

static const Sql withdraw_sql("UPDATE media_usage SET deleted = true WHERE tenant_id = $1");

void withdraw_media(Tx& tx, const TenantId& tenant) {
  tx.later({&withdraw_sql, params(tenant)});
}

static const Sql deleted_tenant_sql("SELECT tenant_id FROM media_usage WHERE deleted ORDER BY tenant_id LIMIT 1");
static const Sql erase_some_sql(
    "DELETE FROM media_files WHERE tenant_id = $1 AND id IN"
    " (SELECT id FROM media_files WHERE tenant_id = $1 ORDER BY id LIMIT $2)");
static const Sql erase_usage_sql("DELETE FROM media_usage WHERE tenant_id = $1");

bool delete_media_of_tenants(Tx& tx, std::int64_t limit) {
  const auto tenant =
      tx.one(Select<TenantId>{{&deleted_tenant_sql, {}}, [](const Row& row) { return TenantId(row.text(0)); }});
  if (!tenant) return false;
  const std::int64_t deleted = tx.run({&erase_some_sql, params(*tenant, limit)});
  if (deleted < limit) tx.run({&erase_usage_sql, params(*tenant)});
  return true;
}

}  // namespace guildhall
