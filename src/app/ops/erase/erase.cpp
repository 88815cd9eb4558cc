#include <ostream>

#include "app/ops/commands.h"
#include "app/ops/installation.h"
#include "app/ops/progress.h"
#include "audit/audit_chain.h"
#include "features/media/media_folder.h"
#include "storage/columns.h"
#include "storage/tables.h"

namespace guildhall {
namespace {

constexpr std::int64_t rows_a_batch = 500;
constexpr int passes_max = 5;

struct Certificate {
  std::string certificate;  // its id, which the audit trail names
  TenantId tenant_id;
  Instant erased_at;
  std::string version;  // of the program
  std::vector<RowCount> deleted;
  std::int64_t grants_elsewhere = 0;
  std::int64_t audit_entries = 0;  // whose contents were erased
  std::string audit_digest;
};
BOOST_DESCRIBE_STRUCT(Certificate, (),
                      (certificate, tenant_id, erased_at, version, deleted, grants_elsewhere, audit_entries,
                       audit_digest))

// A tenant's rows in one table, deleted from the last to the first: each row of the fund's ledger refers to the row
// before it.
class RowsToDelete {
 public:
  explicit RowsToDelete(const Table& table) : name(table.name), sql_(text(table)) {}

  std::int64_t delete_all(Storage& storage, const TenantId& tenant, Progress& progress) const {
    std::int64_t all = 0;
    for (std::int64_t deleted = rows_a_batch; deleted == rows_a_batch;) {
      storage.write_now([&](Tx& tx) { deleted = tx.run({&sql_, {tenant.text(), rows_a_batch}}); });
      all += deleted;
      progress.add(deleted);
    }
    return all;
  }

  const std::string name;

 private:
  static std::string text(const Table& table) {
    std::string key, order;
    for (const TableColumn& column : table.columns) {
      if (column.key_place == 0) continue;
      key += (key.empty() ? "" : ", ") + column.name;
      order += (order.empty() ? "" : ", ") + column.name + " DESC";
    }
    return fmt::format(
        "DELETE FROM {0} WHERE ({1}) IN (SELECT {1} FROM {0} WHERE tenant_id = $1 ORDER BY {2} LIMIT $2)", table.name,
        key, order);
  }

  const Sql sql_;
};

// The tenant's row stays, so that nobody else gets the id, and so do the entries of the audit trail, without contents.
bool stays(const Table& table) {
  return table.name == "tenants" || table.name == "audit_entries" || table.name == "audit_chains" ||
         !table.has("tenant_id");
}

void close_tenant(Storage& storage, const TenantId& tenant) {
  static const Sql sql(R"(
    UPDATE tenants SET name = '(erased)', owner_user_id = '', admin_user_ids = '[]', version = version + 1,
      updated_at = $2, deleted_at = COALESCE(deleted_at, $2) WHERE tenant_id = $1)");
  storage.write_now([&](Tx& tx) { tx.run({&sql, params(tenant, now())}); });
}

void delete_pictures(Storage& storage, const TenantId& tenant, const std::string& media_dir) {
  if (media_dir.empty()) return;
  const MediaFolder folder(media_dir);
  static const Sql sql("SELECT id FROM media_files WHERE tenant_id = $1 AND id > $2 ORDER BY id LIMIT $3");
  std::vector<std::string> ids;
  std::string last;
  do {
    storage.read_now([&](Tx& tx) {
      ids = tx.all(Select<std::string>{{&sql, {tenant.text(), last, rows_a_batch}}, read_first_text});
    });
    for (const std::string& id : ids) folder.remove(id);
    if (!ids.empty()) last = ids.back();
  } while (!ids.empty());
}

std::int64_t delete_grants_elsewhere(Storage& storage, const TenantId& tenant) {
  static const Sql sql("DELETE FROM grants WHERE user_tenant_id = $1");
  std::int64_t deleted = 0;
  storage.write_now([&](Tx& tx) { deleted = tx.run({&sql, params(tenant)}); });
  return deleted;
}

std::vector<RowCount> delete_rows(Storage& storage, const TenantId& tenant, const Tables& tables) {
  std::vector<std::unique_ptr<RowsToDelete>> all;  // the statements outlive their use
  for (const auto& table : tables) {
    if (!stays(*table)) all.push_back(std::make_unique<RowsToDelete>(*table));
  }
  Progress progress("erasing", 0);
  std::map<std::string, std::int64_t> deleted;
  // A request that was running may still write; the last pass must find nothing.
  std::int64_t found = 1;
  for (int pass = 0; pass < passes_max && found > 0; ++pass) {
    found = 0;
    for (const auto& rows : all) {
      const std::int64_t count = rows->delete_all(storage, tenant, progress);
      deleted[rows->name] += count;
      found += count;
    }
  }
  std::vector<RowCount> list;
  for (const auto& [name, count] : deleted) {
    if (count > 0) list.push_back({name, count});
  }
  return list;
}

void erase_audit_trail(Storage& storage, const TenantId& tenant, const ErasureCertificate& certificate) {
  Progress progress("erasing the audit trail", certificate.entries);
  for (std::int64_t sequence = 0; sequence < certificate.entries;) {
    std::int64_t reached = sequence, erased = 0;
    storage.write_now([&](Tx& tx) {
      reached = sequence;
      erased = erase_entries(tx, tenant, certificate, reached);
    });
    sequence = reached;
    progress.add(erased);
  }
}

}  // namespace

std::string erase_tenant(const Config& config, const TenantId& tenant) {
  if (tenant == config.default_tenant) {
    throw std::runtime_error("--tenant: the default tenant belongs to the installation and cannot be erased.");
  }
  open_installation(config.database_url)->read([&](Tx& tx) { require_tenant(tx, tenant); });
  Tables tables;  // outlives the storage
  const auto storage = open_storage({.url = config.database_url, .writer_connections_max = 1});
  tables = read_tables(*storage);
  close_tenant(*storage, tenant);  // first: from now on the servers refuse its requests
  delete_pictures(*storage, tenant, config.media_dir);
  Certificate certificate{.certificate = {},
                          .tenant_id = tenant,
                          .erased_at = now(),
                          .version = GUILDHALL_VERSION,
                          .deleted = delete_rows(*storage, tenant, tables),
                          .grants_elsewhere = delete_grants_elsewhere(*storage, tenant),
                          .audit_entries = 0,
                          .audit_digest = {}};
  const ErasureCertificate trail = certify_erasure(*storage, tenant, command_line_actor, now());
  erase_audit_trail(*storage, tenant, trail);
  certificate.certificate = trail.id;
  certificate.audit_entries = trail.entries;
  certificate.audit_digest = trail.digest;
  return to_json(certificate);
}

}  // namespace guildhall
