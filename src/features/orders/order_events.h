#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/declared.h"

// What orders tell the rest of the house (and, through the outbox, the outside): order.created, order.paid,
// order.shipped, order.cancelled, order.refunded. All carry the order as it is at the end of the change.
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
  std::vector<OrderEventItem> items;
};
BOOST_DESCRIBE_STRUCT(OrderEvent, (),
                      (order_id, order_number, status, currency, total_cents, customer_id, customer_name,
                       customer_chat_id, anonymous_contribution, items))

}  // namespace guildhall
