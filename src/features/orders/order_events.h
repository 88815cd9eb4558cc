#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/declared.h"

// The events of orders and of their shipments, and the payloads with which they leave the process.
namespace guildhall {

struct Order;

struct OrderItemPayload {
  std::string product_id;
  std::string name;
  std::string sku;
  std::int64_t quantity = 0;
  std::int64_t unit_price_cents = 0;
};
BOOST_DESCRIBE_STRUCT(OrderItemPayload, (), (product_id, name, sku, quantity, unit_price_cents))

// The order as it is at the end of the change.
struct OrderPayload {
  std::string order_id;
  std::string order_number;
  std::string status;
  std::string currency;
  std::int64_t total_cents = 0;
  std::optional<std::string> customer_id;
  std::string customer_name;
  std::optional<std::string> customer_chat_id;
  bool anonymous_contribution = false;
  std::int64_t contribution_cents = 0;  // paid for community-fund items, after discounts
  std::vector<OrderItemPayload> items;
};
BOOST_DESCRIBE_STRUCT(OrderPayload, (),
                      (order_id, order_number, status, currency, total_cents, customer_id, customer_name,
                       customer_chat_id, anonymous_contribution, contribution_cents, items))

OrderPayload payload_of(const Order& order);

// Emitted before an order is placed, or becomes paid, and before anything is written for it: subscribers announce the
// reads of their reactions (Tx::read_ahead).
struct OrderAnnounced {
  static constexpr std::string_view name = "order.announced";
  bool is_paid;
  const OrderId* id;  // null: the order will be placed
  std::vector<ProductId> products;
  const std::optional<CustomerId>& customer_id;
  std::optional<std::string> chat_user_id;
};

struct OrderCreated {
  static constexpr std::string_view name = "order.created";
  const Order& order;
  OrderPayload payload() const { return payload_of(order); }
};

// Emitted once, when the order reaches PAID or a later status.
struct OrderPaid {
  static constexpr std::string_view name = "order.paid";
  const Order& order;
  OrderPayload payload() const { return payload_of(order); }
};

// Emitted once, together with ShipmentShipped, when `status` or `shippingStatus` reaches SHIPPED.
struct OrderShipped {
  static constexpr std::string_view name = "order.shipped";
  const Order& order;
  OrderPayload payload() const { return payload_of(order); }
};

// The order has reached FULFILLING.
struct OrderFulfilling {
  static constexpr std::string_view name = "order.fulfilling";
  const Order& order;
  OrderPayload payload() const { return payload_of(order); }
};

// The order has reached COMPLETE.
struct OrderCompleted {
  static constexpr std::string_view name = "order.completed";
  const Order& order;
  OrderPayload payload() const { return payload_of(order); }
};

// The order was changed in a way that no other event tells.
struct OrderUpdated {
  static constexpr std::string_view name = "order.updated";
  const Order& order;
  OrderPayload payload() const { return payload_of(order); }
};

struct OrderDeleted {
  static constexpr std::string_view name = "order.deleted";
  const Order& order;
  OrderPayload payload() const { return payload_of(order); }
};

struct OrderCancelled {
  static constexpr std::string_view name = "order.cancelled";
  const Order& order;
  OrderPayload payload() const { return payload_of(order); }
};

// How an order came to be refunded, which decides whether a subscriber may refuse the refund.
enum class RefundCause {
  requested,    // The money has not been returned yet. A subscriber may refuse by throwing.
  carried_out,  // A payment processor has returned the money because we asked it to. A subscriber must not refuse.
  reported,     // A payment processor reports that the money went back. A subscriber must not refuse.
};

struct OrderRefunded {
  static constexpr std::string_view name = "order.refunded";
  const Order& order;
  RefundCause cause = RefundCause::requested;
  OrderPayload payload() const { return payload_of(order); }
};

// Emitted after a change of an order that had been paid before.
struct PaidOrderChanged {
  static constexpr std::string_view name = "order.changed";
  const Order& before;
  const Order& order;
};

// Emitted before the currency of an order is changed: payments refuse it by throwing.
struct CurrencyChangeRequested {
  static constexpr std::string_view name = "order.currency";
  const Order& order;  // as it was
};

// Emitted before an order with community-fund items is written: the fund refuses the contribution by throwing.
struct ContributionRequested {
  static constexpr std::string_view name = "order.contribution";
  const Order& order;
};

struct ShipmentPayload {
  std::optional<std::string> shipment_id;  // null: the order was marked shipped and names no shipment
  std::string order_id;
  std::optional<std::string> order_number;  // null, like the customer, when the tenant has no such order
  std::optional<std::string> customer_id;
  std::optional<std::string> customer_chat_id;
  std::string status;
  std::optional<std::string> carrier;
  std::optional<std::string> service;
  std::optional<std::string> tracking_number;
  std::optional<std::string> detail;  // the carrier's description of the event, if it sent one
  std::optional<Instant> shipped_at;
  std::optional<Instant> delivered_at;
};
BOOST_DESCRIBE_STRUCT(ShipmentPayload, (),
                      (shipment_id, order_id, order_number, customer_id, customer_chat_id, status, carrier, service,
                       tracking_number, detail, shipped_at, delivered_at))

struct ShipmentShipped {
  static constexpr std::string_view name = "shipment.shipped";
  const ShipmentPayload& shipment;
  const ShipmentPayload& payload() const { return shipment; }
};

struct ShipmentDelivered {
  static constexpr std::string_view name = "shipment.delivered";
  const ShipmentPayload& shipment;
  const ShipmentPayload& payload() const { return shipment; }
};

struct ShipmentException {
  static constexpr std::string_view name = "shipment.exception";
  const ShipmentPayload& shipment;
  const ShipmentPayload& payload() const { return shipment; }
};

}  // namespace guildhall
