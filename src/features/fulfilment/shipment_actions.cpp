#include "features/fulfilment/shipment_actions.h"

#include "features/orders/order_actions.h"
#include "features/orders/order_store.h"
#include "features/orders/order_timeline.h"
#include "features/tenancy/tenant_settings.h"
#include "outbox/outbox.h"

namespace guildhall {
namespace {

// The fields of a parcel that its order shows.
struct Shown {
  std::optional<std::string> shipment_id;
  std::optional<std::string> tracking_number;
  ShipmentStatus status = ShipmentStatus::PENDING;

  bool operator==(const Shown&) const = default;
};

// `to`: the status to which the parcel moves the order.
Order show(const ActionContext& context, Order order, const Shown& shown, std::optional<OrderStatus> to = std::nullopt,
           const ShipmentPayload* payload = nullptr) {
  if (!to && Shown{order.shipment_id, order.tracking_number, order.shipping_status} == shown) return order;
  OrderPatch patch;
  if (to) patch.status.value = *to;
  patch.shipment_id.value.emplace();
  if (shown.shipment_id) patch.shipment_id.value->emplace(Reference{*shown.shipment_id});
  patch.tracking_number.value.emplace();
  if (shown.tracking_number) patch.tracking_number.value->emplace(Key{*shown.tracking_number});
  patch.shipping_status.value = shown.status;
  return change_order(
      context, order.id, patch, [](const Order&) {}, payload);
}

// Moves an order that shows another parcel.
Order move_with_parcel(const ActionContext& context, const Order& order, OrderStatus to,
                       const ShipmentPayload& payload) {
  OrderPatch patch;
  patch.status.value = to;
  return change_order(
      context, order.id, patch, [](const Order&) {}, &payload);
}

void emit_move(const ActionContext& context, ShipmentStatus status, const ShipmentPayload& payload) {
  if (status == ShipmentStatus::SHIPPED) context.emit(ShipmentShipped{payload});
  if (status == ShipmentStatus::DELIVERED) context.emit(ShipmentDelivered{payload});
  if (status == ShipmentStatus::FAILED) context.emit(ShipmentException{payload});
}

ShipmentPayload payload_with_order(const Shipment& shipment, const std::optional<Order>& order,
                                   const std::optional<std::string>& detail) {
  ShipmentPayload payload = payload_of(shipment);
  payload.detail = detail;
  if (order) {
    payload.order_number = order->order_number;
    payload.customer_chat_id = order->customer.chat_id;
    if (order->customer_id) payload.customer_id = order->customer_id->text();
  }
  return payload;
}

bool is_sent(ShipmentStatus status) {
  return status == ShipmentStatus::SHIPPED || status == ShipmentStatus::DELIVERED;
}

// Whether the shipment, which was sent or has arrived, can move its order. If so, locks the order: of two parcels that
// arrive at the same time, the second must see the first.
bool lock_movable_order(const ActionContext& context, const Shipment& shipment) {
  if (!is_sent(shipment.status) || !parcels_move_orders(context.tx, context.tenant)) return false;
  lock_order(context.tx, context.tenant, shipment.order_id);
  return true;
}

std::optional<OrderStatus> next_status(const ActionContext& context, const Order& order, const Shipment& shipment) {
  std::vector<ShipmentStatus> parcels = statuses_of_parcels(context.tx, context.tenant, shipment.order_id, shipment.id);
  parcels.push_back(shipment.status);
  return moved_by_parcels(order.status, parcels);
}

// Everything that follows from writing a shipment: the update of its order, and the event.
void settle(const ActionContext& context, const Shipment* before, const Shipment& after,
            const std::optional<std::string>& detail) {
  const bool moved = before == nullptr || before->status != after.status;
  if (!moved && before->tracking_number == after.tracking_number) return;
  const bool may_move_order = moved && lock_movable_order(context, after);
  auto order = context.tx.one(order_by_id(context.tenant, after.order_id));
  const auto to = may_move_order && order ? next_status(context, *order, after) : std::nullopt;
  const bool shows = order && (before == nullptr || !order->shipment_id || *order->shipment_id == after.id.text());
  const ShipmentPayload payload = payload_with_order(after, order, detail);
  const bool was_shipped = order && order->shipped_at.value;
  if (shows) {
    order = show(context, std::move(*order), {after.id.text(), after.tracking_number, after.status}, to, &payload);
  } else if (order && to) {
    order = move_with_parcel(context, *order, *to, payload);
  } else if (order) {
    record_parcel(context, order->id, payload, moved);
  }
  const bool emitted_with_order =
      order && order->shipped_at.value && !was_shipped && after.status == ShipmentStatus::SHIPPED;
  if (moved && !emitted_with_order) emit_move(context, after.status, payload);
}

}  // namespace

Shipment create_shipment(const ActionContext& context, const NewShipment& input) {
  Shipment shipment = shipment_from(input, context.tenant, context.now);
  insert_shipment(context.tx, shipment);
  shipment_records.note(context, nullptr, &shipment);
  settle(context, nullptr, shipment, std::nullopt);
  return shipment;
}

Shipment change_shipment(const ActionContext& context, const ShipmentId& id, FunctionRef<void(Shipment&)> edit,
                         const std::optional<std::string>& detail) {
  return shipment_records.change(context, id, edit, [&](const Shipment& before, const Shipment& after) {
    settle(context, &before, after, detail);
  });
}

void delete_shipment(const ActionContext& context, const ShipmentId& id,
                     FunctionRef<void(const Shipment&)> precondition) {
  const Shipment shipment = shipment_records.erase(context, id, precondition);
  auto order = context.tx.one(order_by_id(context.tenant, shipment.order_id));
  if (order && order->shipment_id == id.text()) show(context, std::move(*order), {});
}

namespace {

struct PaidOrder {
  std::string order_id;
};
BOOST_DESCRIBE_STRUCT(PaidOrder, (), (order_id))

}  // namespace

void subscribe_shipments(Events& events) {
  events.subscribe<OrderPaid>([](const ActionContext& context, const OrderPaid& event) {
    if (!event.order.shipment_id || event.order.status != OrderStatus::PAID) return;
    outbox::append(context.tx,
                   {.tenant = context.tenant,
                    .topic = std::string(paid_order_topic),
                    .payload = to_json(PaidOrder{event.order.id.text()}),
                    .due = context.now},
                   context.now);
  });
}

outbox::Verdict move_paid_order(Storage& storage, const Events& events, const outbox::Delivery& delivery) {
  static const Actor actor{ActorKind::SYSTEM, "parcels", ""};
  const OrderId id(from_json<PaidOrder>(delivery.payload).order_id);
  storage.write_now([&](Tx& tx) {
    if (!parcels_move_orders(tx, delivery.tenant)) return;
    lock_order(tx, delivery.tenant, id);
    const auto order = tx.one(order_by_id(delivery.tenant, id));
    if (!order) return;
    const auto to = moved_by_parcels(order->status, statuses_of_parcels(tx, delivery.tenant, id, ShipmentId()));
    if (to) move_order({tx, events, delivery.tenant, actor, now()}, *order, *to);
  });
  return outbox::done();
}

}  // namespace guildhall
