#include "features/fulfilment/shipment_store.h"

#include "storage/record_table.h"

namespace guildhall {
namespace {

const RecordTable<Shipment> shipment_table("shipments");

// Parameters: the key's value, the event's shipment id, and its tracker id. An empty id contradicts no stored id.
std::string named_by(std::string_view column) {
  return fmt::format(
      "{} = $1 AND (provider_shipment_id IS NULL OR CAST($2 AS text) IN ('', provider_shipment_id))"
      " AND (tracker_id IS NULL OR CAST($3 AS text) IN ('', tracker_id))",
      column);
}

// Two statements: the newest shipments with the key, and whether a tenant other than $4 has one, too.
struct NameSql {
  explicit NameSql(std::string_view column)
      : newest(fmt::format("{} WHERE {} ORDER BY created_at DESC, id DESC LIMIT 50", shipment_table.select,
                           named_by(column))),
        elsewhere(fmt::format("SELECT 1 WHERE EXISTS (SELECT 1 FROM shipments WHERE {0} AND tenant_id < $4)"
                              " OR EXISTS (SELECT 1 FROM shipments WHERE {0} AND tenant_id > $4)",
                              named_by(column))) {}
  Sql newest;
  Sql elsewhere;
};

const NameSql by_provider_id("provider_shipment_id"), by_tracker("tracker_id"), by_tracking_number("tracking_number");

const NameSql& sql_of(ShipmentName name) {
  switch (name) {
    case ShipmentName::provider_id:
      return by_provider_id;
    case ShipmentName::tracker_id:
      return by_tracker;
    case ShipmentName::tracking_number:
      break;
  }
  return by_tracking_number;
}

const std::string& value_of(ShipmentName name, const TrackerUpdate& event) {
  switch (name) {
    case ShipmentName::provider_id:
      return event.shipment_id;
    case ShipmentName::tracker_id:
      return event.tracker_id;
    case ShipmentName::tracking_number:
      break;
  }
  return event.tracking_code;
}

}  // namespace

Select<Shipment> shipment_by_id(const TenantId& tenant, const ShipmentId& id) {
  return shipment_table.by_id(tenant, id);
}

static const Listing listing = Listing::of<ShipmentQuery>({
    .table = "shipments",
    .columns = columns<Shipment>(),
    .paths = {{.filter = "order_id", .condition = "order_id = :order_id"},
              {.filter = "tracking_number",
               .condition = "tracking_number = :tracking_number",
               .order = ListPath::Order::none},
              {.filter = "status", .condition = "status = :status_1"}},
});

const Listing& shipment_listing() {
  return listing;
}

static const Sql statuses_sql(
    "SELECT DISTINCT status FROM shipments WHERE tenant_id = $1 AND order_id = $2 AND id <> $3");

std::vector<ShipmentStatus> statuses_of_parcels(Tx& tx, const TenantId& tenant, const OrderId& order,
                                                const ShipmentId& except) {
  std::vector<ShipmentStatus> statuses;
  tx.run({&statuses_sql, params(tenant, order, except)},
         [&](const Row& row) { statuses.push_back(Column<ShipmentStatus>::read(row, 0)); });
  return statuses;
}

NamedShipments shipments_named(Tx& tx, ShipmentName by, const TrackerUpdate& event) {
  NamedShipments named;
  const std::string& value = value_of(by, event);
  if (value.empty()) return named;
  const NameSql& sql = sql_of(by);
  named.newest =
      tx.all(Select<Shipment>{{&sql.newest, params(value, event.shipment_id, event.tracker_id)}, read_row<Shipment>});
  if (named.newest.empty()) return named;
  const TenantId tenant = named.newest.front().tenant_id;
  tx.run({&sql.elsewhere, params(value, event.shipment_id, event.tracker_id, tenant)},
         [&](const Row&) { named.in_several_tenants = true; });
  return named;
}

void insert_shipment(Tx& tx, const Shipment& shipment) {
  tx.later(shipment_table.insertion(shipment));
}

void update_shipment(Tx& tx, Shipment& shipment) {
  shipment_table.update(tx, shipment);
}

void erase_shipment(Tx& tx, const Shipment& shipment) {
  shipment_table.erase(tx, shipment);
}

}  // namespace guildhall
