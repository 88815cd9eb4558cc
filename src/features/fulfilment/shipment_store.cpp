#include "features/fulfilment/shipment_store.h"

#include "storage/columns.h"

namespace guildhall {
namespace {

const std::string select_shipment = "SELECT " + columns<Shipment>() + " FROM shipments";

// Codes are recycled, so there may be many; only the newest count.
const std::string newest_of_any_tenant = " ORDER BY created_at DESC, id DESC LIMIT 50";

}  // namespace

static const Sql by_id_sql(select_shipment + " WHERE tenant_id = $1 AND id = $2");

Select<Shipment> shipment_by_id(const TenantId& tenant, const ShipmentId& id) {
  return {{&by_id_sql, params(tenant, id)}, read_row<Shipment>};
}

static const Sql after_sql(select_shipment +
                           " WHERE tenant_id = $1 AND (created_at, id) < ($2, $3)"
                           " ORDER BY created_at DESC, id DESC LIMIT $4");

Select<Shipment> shipments_after(const TenantId& tenant, const http::Position& position, std::int64_t limit) {
  return {{&after_sql, params(tenant, position.created_at, position.id, limit)}, read_row<Shipment>};
}

static const Sql of_provider_id_sql(select_shipment + " WHERE provider_shipment_id = $1" + newest_of_any_tenant);

Select<Shipment> shipments_of_provider_id(const std::string& provider_shipment_id) {
  return {{&of_provider_id_sql, params(provider_shipment_id)}, read_row<Shipment>};
}

static const Sql of_tracker_sql(select_shipment + " WHERE tracker_id = $1" + newest_of_any_tenant);

Select<Shipment> shipments_of_tracker(const std::string& tracker_id) {
  return {{&of_tracker_sql, params(tracker_id)}, read_row<Shipment>};
}

static const Sql of_tracking_number_sql(select_shipment + " WHERE tracking_number = $1" + newest_of_any_tenant);

Select<Shipment> shipments_of_tracking_number(const std::string& tracking_number) {
  return {{&of_tracking_number_sql, params(tracking_number)}, read_row<Shipment>};
}

static const Sql insert_sql("INSERT INTO shipments (" + columns<Shipment>() + ") VALUES (" + placeholders<Shipment>() +
                            ")");

void insert_shipment(Tx& tx, const Shipment& shipment) {
  tx.later({&insert_sql, values_of(shipment)});
}

static const Sql update_sql("UPDATE shipments SET " + assignments<Shipment>(2) +
                            " WHERE id = $1 AND tenant_id = $2 AND version = $19");

void update_shipment(Tx& tx, Shipment& shipment) {
  const std::int64_t read_version = shipment.version.value++;
  std::vector<Value> values = values_of(shipment);
  values.emplace_back(read_version);
  if (tx.run({&update_sql, std::move(values)}) == 0) throw WriteRace();
}

static const Sql erase_sql("DELETE FROM shipments WHERE tenant_id = $1 AND id = $2 AND version = $3");

void erase_shipment(Tx& tx, const Shipment& shipment) {
  if (tx.run({&erase_sql, params(shipment.tenant_id, shipment.id, shipment.version)}) == 0) throw WriteRace();
}

}  // namespace guildhall
