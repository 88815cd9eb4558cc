#include "features/entitlements/entitlement_store.h"

#include <set>

#include "storage/record_table.h"

namespace guildhall {
namespace {

const RecordTable<Entitlement> entitlement_table("entitlements", {.on_conflict = "(tenant_id, source_key) DO NOTHING"});
const std::string& select_entitlement = entitlement_table.select;

}  // namespace

Select<Entitlement> entitlement_by_id(const TenantId& tenant, const EntitlementId& id) {
  return entitlement_table.by_id(tenant, id);
}

static const Listing listing = Listing::of<EntitlementQuery>({
    .table = "entitlements",
    .columns = columns<Entitlement>(),
    .paths = {{.filter = "order_id", .condition = "order_id = :order_id", .order = ListPath::Order::none},
              {.filter = "membership_id",
               .condition = "membership_id = :membership_id",
               .order = ListPath::Order::none},
              {.filter = "status", .condition = "status = :status_1"}},
});

const Listing& entitlement_listing() {
  return listing;
}

// The plus signs below keep SQLite from reading all entitlements of the tenant in the order of an index: sorting the
// few that are wanted is faster.
static const Sql of_order_sql(select_entitlement + " WHERE tenant_id = $1 AND order_id = $2 ORDER BY +created_at, id");

Select<Entitlement> entitlements_of_order(const TenantId& tenant, const OrderId& order) {
  return {{&of_order_sql, params(tenant, order)}, read_row<Entitlement>};
}

static const Sql waiting_items_sql(select_entitlement +
                                   " WHERE tenant_id = $1 AND product_id = $2 AND type = 'DIGITAL_ITEM'"
                                   " AND status = 'PENDING' AND failure_reason IS NOT NULL"
                                   " ORDER BY created_at, id LIMIT $3");

Select<Entitlement> waiting_items(const TenantId& tenant, const ProductId& product, std::int64_t limit) {
  return {{&waiting_items_sql, params(tenant, product, limit)}, read_row<Entitlement>};
}

static const Sql items_of_member_sql(select_entitlement +
                                     " WHERE tenant_id = $1 AND chat_user_id = $2 AND type = 'DIGITAL_ITEM'"
                                     " AND status = 'GRANTED' ORDER BY created_at DESC, id DESC LIMIT $3");

Select<Entitlement> items_of_member(const TenantId& tenant, const std::string& chat_user_id, std::int64_t limit) {
  return {{&items_of_member_sql, params(tenant, chat_user_id, limit)}, read_row<Entitlement>};
}

static const Sql of_membership_sql(select_entitlement + " WHERE tenant_id = $1 AND membership_id = $2 ORDER BY id");

Select<Entitlement> entitlements_of_membership(const TenantId& tenant, const MembershipId& membership) {
  return {{&of_membership_sql, params(tenant, membership)}, read_row<Entitlement>};
}

static const Sql of_role_sql(select_entitlement +
                             " WHERE tenant_id = $1 AND type = 'CHAT_ROLE' AND chat_user_id = $2 AND role_id = $3"
                             " ORDER BY +created_at, id");

Select<Entitlement> entitlements_of_role(const TenantId& tenant, const MemberRole& role) {
  return {{&of_role_sql, params(tenant, role.chat_user_id, role.role_id)}, read_row<Entitlement>};
}

static const Sql of_member_sql(select_entitlement +
                               " WHERE tenant_id = $1 AND type = 'CHAT_ROLE' AND chat_user_id = $2"
                               " AND role_id IS NOT NULL ORDER BY +created_at, id");

Select<Entitlement> entitlements_of_member(const TenantId& tenant, const std::string& chat_user_id) {
  return {{&of_member_sql, params(tenant, chat_user_id)}, read_row<Entitlement>};
}

bool insert_entitlement(Tx& tx, const Entitlement& entitlement) {
  return entitlement_table.insert(tx, entitlement);
}

void update_entitlement(Tx& tx, Entitlement& entitlement) {
  entitlement_table.update(tx, entitlement);
}

void erase_entitlement(Tx& tx, const Entitlement& entitlement) {
  entitlement_table.erase(tx, entitlement);
}

// The condition on the outside is what a second node that waited for the row looks at again.
static const Sql take_unchecked_sql(R"(
  UPDATE entitlements SET checked_at = $1
  WHERE checked_at < $2 AND (tenant_id, id) IN
    (SELECT tenant_id, id FROM entitlements
     WHERE type = 'CHAT_ROLE' AND chat_user_id IS NOT NULL AND checked_at < $2
       AND (CAST($3 AS text) IS NULL OR tenant_id = $3)
     ORDER BY checked_at LIMIT $4)
  RETURNING tenant_id, chat_user_id)");

std::vector<Member> take_unchecked(Tx& tx, const std::optional<TenantId>& tenant, Instant before, Instant now,
                                   std::int64_t rows_max) {
  std::set<Member> members;
  tx.run({&take_unchecked_sql, params(now, before, tenant, rows_max)}, [&](const Row& row) {
    members.insert({TenantId(row.text(0)), std::string(row.text(1))});
  });
  return {members.begin(), members.end()};
}

}  // namespace guildhall
