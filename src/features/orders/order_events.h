#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/declared.h"

// What orders tell the rest of the house (and, through the outbox, the outside): order.created, order.paid,
// order.shipped, order.cancelled, order.refunded. All carry the order as it is at the end of the change. And what their
// parcels tell: shipment.shipped, shipment.delivered, shipment.exception.
namespace guildhall {

struct OrderEventItem {
  std::string product_id;
  std::string name;
  std::string sku;
  std::int64_t quantity = 0;
  std::int64_t unit_price_cents = 0;
};
BOOST_DESCRIBE_STRUCT(OrderEventItem, (), (product_id, name, sku, quantity, unit_price_cents))

struct OrderEvent {
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
  std::vector<OrderEventItem> items;
};
BOOST_DESCRIBE_STRUCT(OrderEvent, (),
                      (order_id, order_number, status, currency, total_cents, customer_id, customer_name,
                       customer_chat_id, anonymous_contribution, contribution_cents, items))

struct ShipmentEvent {
  std::optional<std::string> shipment_id;  // null: the order was marked shipped and names none
  std::string order_id;
  std::optional<std::string> order_number;  // null, as the customer: the shop has no such order
  std::optional<std::string> customer_id;
  std::optional<std::string> customer_chat_id;
  std::string status;
  std::optional<std::string> carrier;
  std::optional<std::string> service;
  std::optional<std::string> tracking_number;
  std::optional<std::string> detail;  // the carrier's words, where there are any
  std::optional<Instant> shipped_at;
  std::optional<Instant> delivered_at;
};
BOOST_DESCRIBE_STRUCT(ShipmentEvent, (),
                      (shipment_id, order_id, order_number, customer_id, customer_chat_id, status, carrier, service,
                       tracking_number, detail, shipped_at, delivered_at))

}  // namespace guildhall
