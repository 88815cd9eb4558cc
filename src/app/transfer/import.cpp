#include <array>
#include <fstream>
#include <ostream>
#include <sstream>

#include "app/rebuild_progress.h"
#include "app/transfer/row_text.h"
#include "app/transfer/transfer.h"
#include "base/decoder.h"
#include "features/reports/report_rebuild.h"
#include "features/reports/report_store.h"
#include "features/tenancy/guild_binding.h"
#include "features/webhooks/webhook_event.h"
#include "storage/columns.h"
#include "storage/migrations.h"

namespace guildhall {
namespace {

struct Manifest {
  std::string tenant;
  std::map<std::string, RowSum> tables;

  std::int64_t rows() const {
    std::int64_t all = 0;
    for (const auto& [name, sum] : tables) all += sum.rows;
    return all;
  }
};

Manifest read_manifest(const std::filesystem::path& folder) {
  std::ifstream file(folder / "manifest.json", std::ios::binary);
  if (!file) throw std::runtime_error("there is no manifest.json in " + folder.string());
  std::stringstream text;
  text << file.rdbuf();
  Manifest manifest;
  decode_stored(text.str(), [&](JsonValue json, Decoder&) {
    manifest.tenant = std::string(json["tenant"].get_string().value());
    for (const auto [name, table] : json["tables"].get_object().value()) {
      RowSum& sum = manifest.tables[std::string(name)];
      sum.rows = table["rows"].get_int64().value();
      sum.sum = std::stoull(std::string(table["sum"].get_string().value()), nullptr, 16);
    }
  });
  return manifest;
}

const Sql delete_tenant_sql("DELETE FROM tenants WHERE tenant_id = $1");

// A new installation has already created its default tenant: that row is replaced. Any other row of the tenant is an
// error.
void require_no_records_of(Tx& tx, const Tables& tables, const std::string& tenant) {
  for (const auto& table : tables) {
    if (table->name == "tenants" || table->name == "report_states" || !table->has("tenant_id")) continue;
    if (!table->rows_after(tx, &tenant, nullptr, 1).empty()) {
      throw std::runtime_error(fmt::format("tenant {} has {} here already", tenant, table->name));
    }
  }
  tx.run({&delete_tenant_sql, {tenant}});
}

// The author of an export must not have this installation's operator account asked about a payment, or refund it: all
// imported payments and payment webhooks belong to accounts of the tenant.
void bind_to_tenants_account(const Table& table, Table::Values& row) {
  for (std::size_t i = 0; i < row.size(); ++i) {
    const std::string& column = table.columns[i].name;
    if ((table.name == "payments" && column == "opened_with") ||
        (table.name == "webhook_events" && column == "verified_with")) {
      row[i] = std::string(name_of(AccountOwner::TENANT));
    }
  }
}

// A chat server belongs to the tenant that has bound it first. An import must not bind it to another one.
void require_free_chat_server(Tx& tx, const Table& table, const Table::Values& row) {
  if (table.name != "guild_bindings") return;
  for (std::size_t i = 0; i < row.size(); ++i) {
    const auto* guild = std::get_if<std::string>(&row[i]);
    if (table.columns[i].name != "guild_id" || guild == nullptr || !tx.one(binding_of_guild(*guild))) continue;
    throw std::runtime_error(fmt::format(
        "the export binds the chat server {}, which is bound here already; its present tenant has to release it first",
        *guild));
  }
}

RowSum import_table(Tx& tx, const Table& table, const std::string& tenant, const std::filesystem::path& path,
                    Progress& progress) {
  constexpr std::int64_t rows_at_once = 500;  // queued before they are sent
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path.string());
  RowSum sum;
  std::string line;
  while (std::getline(file, line)) {
    Table::Values row = row_of_ndjson(table, line);
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (table.columns[i].name == "tenant_id" && row[i] != Value(tenant)) {
        throw std::runtime_error(path.string() + " has a row of another tenant");
      }
    }
    if (grants_platform_admin(table, row)) {
      throw std::runtime_error("the export grants PlatformAdmin, which no tenant's export may");
    }
    require_free_chat_server(tx, table, row);
    sum.add(row);
    bind_to_tenants_account(table, row);
    table.insert(tx, std::move(row));
    progress.add(1);
    if (sum.rows % rows_at_once == 0) table.rows_after(tx, &tenant, nullptr, 1);
  }
  return sum;
}

// A record whose id has a meaning outside of its tenant, and the statement that finds an id of the imported tenant that
// another tenant has as well.
struct SharedId {
  std::string_view record;
  Sql sql;

  SharedId(std::string_view record_name, const std::string& table)
      : record(record_name),
        sql(fmt::format("SELECT a.id FROM {0} a JOIN {0} b ON b.id = a.id AND b.tenant_id <> a.tenant_id"
                        " WHERE a.tenant_id = $1 LIMIT 1",
                        table)) {}
};

// Otherwise the author of an export could give its users the permissions of existing users, replace the picture at
// another shop's public path, and claim other shops' payments: processors know orders, payments and refunds by these
// ids, and shops may share the operator's account.
const std::array<SharedId, 5> shared_ids{{{"a user", "users"},
                                          {"a picture", "media_files"},
                                          {"an order", "orders"},
                                          {"a payment", "payments"},
                                          {"a refund", "refunds"}}};

const Sql granted_elsewhere_sql(
    "SELECT u.id FROM users u JOIN grants g ON g.user_id = u.id AND g.tenant_id <> u.tenant_id WHERE u.tenant_id = $1"
    " LIMIT 1");

std::optional<std::string> first_id(Tx& tx, const Sql& sql, const std::string& tenant) {
  return tx.one(Select<std::string>{{&sql, {tenant}}, read_first_text});
}

void require_ids_of_no_other_tenant(Tx& tx, const std::string& tenant) {
  for (const SharedId& each : shared_ids) {
    if (const auto id = first_id(tx, each.sql, tenant)) {
      throw std::runtime_error(fmt::format("the export has {} whose id another tenant has here: {}", each.record, *id));
    }
  }
  if (const auto id = first_id(tx, granted_elsewhere_sql, tenant)) {
    throw std::runtime_error(
        fmt::format("the export has a user whose id has permissions in another tenant here: {}", *id));
  }
}

}  // namespace

void import_tenant(const std::string& database_url, const std::filesystem::path& folder, std::ostream& report) {
  const Manifest manifest = read_manifest(folder);
  Tables tables;  // outlives the storage
  const auto storage = open_storage({.url = database_url});
  migrate(*storage);
  tables = read_tables(*storage);
  for (const auto& [name, sum] : manifest.tables) {
    if (std::none_of(tables.begin(), tables.end(), [&](const auto& table) { return table->name == name; })) {
      throw std::runtime_error("the export has a table that this version does not know: " + name);
    }
  }
  std::string lines;
  std::int64_t paid_orders = 0;
  storage->write_now([&](Tx& tx) {
    lines.clear();
    Progress progress("importing", manifest.rows());
    require_no_records_of(tx, tables, manifest.tenant);
    for (const auto& table : tables) {
      const auto expected = manifest.tables.find(table->name);
      if (expected == manifest.tables.end()) continue;
      if (stays_with_installation(*table)) {
        throw std::runtime_error("no tenant's export has the table " + table->name);
      }
      const RowSum sum = import_table(tx, *table, manifest.tenant, folder / (table->name + ".ndjson"), progress);
      if (sum != expected->second) throw std::runtime_error(table->name + " is not as it was exported");
      lines += fmt::format("{}: {} rows\n", table->name, sum.rows);
    }
    require_ids_of_no_other_tenant(tx, manifest.tenant);
    for (const GuildBinding& each : tx.all(guilds_of_tenant(TenantId(manifest.tenant)))) {
      lines += fmt::format("the chat server {} is bound to tenant {} now\n", each.guild_id, manifest.tenant);
    }
    paid_orders = tx.one(number_of_paid_orders(TenantId(manifest.tenant))).value_or(0);
    request_rebuild(tx, TenantId(manifest.tenant));
  });
  ShownRebuild shown(paid_orders);
  rebuild_reports(*storage, TenantId(manifest.tenant), shown.of_tenant());
  collect_statistics(*storage);
  report << lines;
}

}  // namespace guildhall
