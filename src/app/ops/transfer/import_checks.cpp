#include "app/ops/transfer/import_checks.h"

#include <array>
#include <deque>
#include <sstream>

#include "app/slices.h"
#include "audit/audit_chain.h"
#include "features/fund/fund_store.h"
#include "features/identity/identity_import.h"
#include "features/identity/role.h"
#include "features/media/branding.h"
#include "features/media/media_import.h"
#include "features/memberships/membership_code.h"
#include "features/orders/order_import.h"
#include "features/tenancy/allowed_origins.h"
#include "storage/columns.h"
#include "storage/metadata_index.h"

namespace guildhall {
namespace {

// A statement that finds one row of the tenant that must not be imported, and the beginning of its sentence.
struct ForbiddenRow {
  std::string_view sentence;
  Sql sql;
};

// Otherwise the author of an export could give its users the permissions of existing users, replace the picture at
// another shop's public path, and claim other shops' payments: processors know orders, payments and refunds by these
// ids, and shops may share the operator's account.
ForbiddenRow shared_id(std::string_view sentence, std::string_view table) {
  return {sentence, Sql(fmt::format("SELECT a.id FROM {0} a JOIN {0} b ON b.id = a.id AND b.tenant_id <> a.tenant_id"
                                    " WHERE a.tenant_id = $1 LIMIT 1",
                                    table))};
}

const std::array<ForbiddenRow, 13> forbidden_rows{{
    shared_id("the export has a user whose id another tenant has here", "users"),
    shared_id("the export has a picture whose id another tenant has here", "media_files"),
    shared_id("the export has an order whose id another tenant has here", "orders"),
    shared_id("the export has a payment whose id another tenant has here", "payments"),
    shared_id("the export has a refund whose id another tenant has here", "refunds"),
    ForbiddenRow{"the export has a user whose id has permissions in another tenant here",
                 Sql("SELECT u.id FROM users u JOIN grants g ON g.user_id = u.id AND g.tenant_id <> u.tenant_id"
                     " WHERE u.tenant_id = $1 LIMIT 1")},
    ForbiddenRow{"the export has an identity of a user that it does not have",
                 Sql("SELECT i.user_id FROM identities i WHERE i.tenant_id = $1 AND NOT EXISTS"
                     " (SELECT 1 FROM users u WHERE u.tenant_id = i.tenant_id AND u.id = i.user_id) LIMIT 1")},
    // A second one would be a hidden way to sign in as a user who gets more permissions later.
    ForbiddenRow{"the export has a user with several identities of a provider",
                 Sql("SELECT user_id FROM identities WHERE tenant_id = $1 GROUP BY user_id, provider"
                     " HAVING COUNT(*) > 1 LIMIT 1")},
    ForbiddenRow{"the export has a user whose identity is that of another person",
                 Sql("SELECT i.user_id FROM identities i JOIN users u ON u.tenant_id = i.tenant_id AND u.id = i.user_id"
                     " WHERE i.tenant_id = $1 AND u.chat_id <> i.provider_user_id LIMIT 1")},
    ForbiddenRow{"the export has a membership without a period",
                 Sql("SELECT m.id FROM memberships m WHERE m.tenant_id = $1 AND NOT EXISTS (SELECT 1"
                     " FROM membership_periods p WHERE p.tenant_id = m.tenant_id AND p.membership_id = m.id) LIMIT 1")},
    ForbiddenRow{
        "the export has a membership with more periods or changes than it may have",
        Sql(fmt::format("SELECT membership_id FROM membership_periods WHERE tenant_id = $1 GROUP BY membership_id"
                        " HAVING COUNT(*) > {} OR SUM(CASE kind WHEN 'PLAN_CHANGE' THEN 1 ELSE 0 END) > {}"
                        " LIMIT 1",
                        membership_periods_max, membership_changes_max))},
    ForbiddenRow{"the export has more open codes than a tenant may have",
                 Sql(fmt::format("SELECT tenant_id FROM membership_codes WHERE tenant_id = $1 AND status = 'OPEN'"
                                 " GROUP BY tenant_id HAVING COUNT(*) > {}",
                                 open_codes_max))},
    ForbiddenRow{
        "the export has a role with more holders than a role may have",
        Sql(fmt::format("SELECT g.key FROM grants g JOIN roles r ON r.tenant_id = g.tenant_id AND r.name = g.key"
                        " WHERE g.tenant_id = $1 GROUP BY g.key HAVING COUNT(*) > {} LIMIT 1",
                        role_holders_max))},
}};

std::optional<std::string> first_text(Tx& tx, const Sql& sql, const TenantId& tenant) {
  return tx.one(Select<std::string>{{&sql, {tenant.text()}}, read_first_text});
}

const Sql imported_tenant_sql("SELECT tenant_id FROM tenants WHERE tenant_id = $1");

}  // namespace

void check_imported(Tx& tx, const TenantId& tenant, Refusals& refusals) {
  if (!first_text(tx, imported_tenant_sql, tenant)) refusals.add("the export does not have the tenant itself");
  for (const ForbiddenRow& each : forbidden_rows) {
    if (const auto found = first_text(tx, each.sql, tenant)) {
      refusals.add(fmt::format("{}: {}", each.sentence, *found));
    }
  }
  if (const auto chain = verify_chain(tx, tenant); chain.problem) refusals.add("audit_entries: " + *chain.problem);
  std::ostringstream ledger;
  if (!verify_funds(tx, tenant, ledger)) refusals.add("fund_ledger: " + ledger.str());
}

namespace {

// The records of a table that lists find by their metadata.
struct IndexedTable {
  explicit IndexedTable(const SliceTable& table)
      : name(table.name),
        some_sql(
            fmt::format("SELECT id, metadata FROM {} WHERE tenant_id = $1 AND id > $2 AND {} ORDER BY id LIMIT 500",
                        table.name, table.metadata)) {}
  std::string_view name;
  Sql some_sql;
};

struct IndexedRecord {
  std::string id;
  Metadata metadata;
};

IndexedRecord read_indexed(const Row& row) {
  return {std::string(row.text(0)), Column<Metadata>::read(row, 1)};
}

void index_all_metadata(Tx& tx, const TenantId& tenant) {
  static const std::deque<IndexedTable> tables = [] {
    std::deque<IndexedTable> found;
    for (const SliceTable& table : all_slice_tables()) {
      if (!table.metadata.empty()) found.emplace_back(table);
    }
    return found;
  }();
  for (const IndexedTable& table : tables) {
    std::string last;
    while (true) {
      const auto some = tx.all(Select<IndexedRecord>{{&table.some_sql, params(tenant, last)}, read_indexed});
      for (const auto& [id, metadata] : some) index_metadata(tx, tenant, table.name, id, {}, metadata);
      if (some.empty()) break;
      last = some.back().id;
    }
  }
}

}  // namespace

void complete_imported(Tx& tx, const TenantId& tenant) {
  adopt_branding_name(tx, tenant);
  age_identities(tx, tenant);
  insert_keys_of_roles(tx, tenant);
  count_imported_orders(tx, tenant);
  count_imported_media(tx, tenant);
  index_all_metadata(tx, tenant);
  import_allowed_origins(tx, tenant);
}

}  // namespace guildhall
