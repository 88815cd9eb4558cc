#include "features/delivery/delivery_store.h"

#include "storage/guard.h"
#include "storage/record_table.h"

namespace guildhall {
namespace {

const RecordTable<Deliverable> deliverable_table("deliverables", {.violated = [](std::string_view constraint) {
                                                   if (constraint == "deliverables_pool_key")
                                                     throw bad_request("ONE_KEY_POOL",
                                                                       "The product has a pool of keys already.");
                                                 }});
const RecordTable<DeliveryKey> key_table("delivery_keys", {.on_conflict = "(tenant_id, key_hash) DO NOTHING"});

}  // namespace

Select<Deliverable> deliverable_by_id(const TenantId& tenant, const DeliverableId& id) {
  return deliverable_table.by_id(tenant, id);
}

static const Sql of_product_sql(deliverable_table.select +
                                " WHERE tenant_id = $1 AND product_id = $2 ORDER BY position, id");

Select<Deliverable> deliverables_of(const TenantId& tenant, const ProductId& product) {
  return {{&of_product_sql, params(tenant, product)}, read_row<Deliverable>};
}

void insert_deliverable(Tx& tx, const Deliverable& deliverable) {
  deliverable_table.insert(tx, deliverable);
}

void update_deliverable(Tx& tx, Deliverable& deliverable) {
  deliverable_table.update(tx, deliverable);
}

void erase_deliverable(Tx& tx, const Deliverable& deliverable) {
  deliverable_table.erase(tx, deliverable);
}

static const Listing key_list = Listing::of<DeliveryKeyQuery>({
    .table = "delivery_keys",
    .columns = columns<DeliveryKey>(),
    .paths = {{.filter = "entitlement_id",
               .condition = "entitlement_id = :entitlement_id AND entitlement_id IS NOT NULL",
               .order = ListPath::Order::none},
              {.filter = "order_id",
               .condition = "order_id = :order_id AND order_id IS NOT NULL",
               .order = ListPath::Order::none},
              {.filter = "status", .condition = "status = :status_1"},
              {.filter = "deliverable_id", .condition = "deliverable_id = :deliverable_id"}},
});

const Listing& delivery_key_listing() {
  return key_list;
}

Select<DeliveryKey> delivery_key_by_id(const TenantId& tenant, const DeliveryKeyId& id) {
  return key_table.by_id(tenant, id);
}

static const Sql key_by_hash_sql(key_table.select + " WHERE tenant_id = $1 AND key_hash = $2");

Select<DeliveryKey> delivery_key_by_hash(const TenantId& tenant, const std::string& key_hash) {
  return {{&key_by_hash_sql, params(tenant, key_hash)}, read_row<DeliveryKey>};
}

static const Sql of_entitlement_sql(key_table.select + " WHERE tenant_id = $1 AND entitlement_id = $2 ORDER BY id");

Select<DeliveryKey> keys_of_entitlement(const TenantId& tenant, const EntitlementId& entitlement) {
  return {{&of_entitlement_sql, params(tenant, entitlement)}, read_row<DeliveryKey>};
}

static const Sql free_keys_sql(
    "SELECT COUNT(*) FROM (SELECT 1 AS one FROM delivery_keys"
    " WHERE tenant_id = $1 AND deliverable_id = $2 AND status = 'FREE' LIMIT $3) AS counted");

Select<std::int64_t> number_of_free_keys(const TenantId& tenant, const DeliverableId& deliverable, std::int64_t limit) {
  return {{&free_keys_sql, params(tenant, deliverable, limit)}, [](const Row& row) { return row.integer(0); }};
}

static const Sql sold_keys_sql(
    "SELECT COUNT(*) FROM (SELECT 1 AS one FROM delivery_keys"
    " WHERE tenant_id = $1 AND deliverable_id = $2 AND status <> 'FREE' LIMIT $3) AS counted");

Select<std::int64_t> number_of_sold_keys(const TenantId& tenant, const DeliverableId& deliverable, std::int64_t limit) {
  return {{&sold_keys_sql, params(tenant, deliverable, limit)}, [](const Row& row) { return row.integer(0); }};
}

bool insert_key(Tx& tx, const DeliveryKey& key) {
  return key_table.insert(tx, key);
}

void update_key(Tx& tx, DeliveryKey& key) {
  key_table.update(tx, key);
}

void erase_key(Tx& tx, const DeliveryKey& key) {
  key_table.erase(tx, key);
}

static const Sql erase_free_sql(
    "DELETE FROM delivery_keys WHERE tenant_id = $1 AND deliverable_id = $2 AND status = 'FREE'");

void erase_free_keys(Tx& tx, const TenantId& tenant, const DeliverableId& deliverable) {
  tx.run({&erase_free_sql, params(tenant, deliverable)});
}

// The guard is the second look at the status, on the row that another transaction has just given away. On PostgreSQL
// the keys are chosen once (ARRAY): a joined select would choose others for each row that it is compared with.
static std::string take_free_text(std::string_view among, std::string_view lock) {
  return fmt::format(
      "UPDATE delivery_keys SET status = 'ASSIGNED', order_id = $4, entitlement_id = $5, assigned_at = $6,"
      " updated_at = $6, version = version + 1"
      " WHERE tenant_id = $1 AND id {}(SELECT id FROM delivery_keys"
      " WHERE tenant_id = $1 AND deliverable_id = $2 AND status = 'FREE' ORDER BY id LIMIT $3{}){}{}",
      among, lock, among == "IN " ? "" : ")", guard(" AND status = 'FREE'"));
}
static const Sql take_free_sql(take_free_text("IN ", ""));
static const Sql take_free_locking_sql(take_free_text("= ANY (ARRAY", guard(" FOR UPDATE SKIP LOCKED")));

std::int64_t take_free_keys(Tx& tx, const DeliverableId& deliverable, const Entitlement& entitlement,
                            std::int64_t count, Instant now) {
  const Sql& sql = tx.has_single_writer() ? take_free_sql : take_free_locking_sql;
  return tx.run({&sql, params(entitlement.tenant_id, deliverable, count, entitlement.order_id, entitlement.id, now)});
}

}  // namespace guildhall
