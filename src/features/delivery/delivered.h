#pragma once

#include "base/secret_box.h"
#include "features/delivery/delivery_store.h"
#include "features/orders/order.h"

// What buyers see of the items that they have bought.
namespace guildhall {

struct DeliveredPart {
  std::string name;
  DeliverableKind kind = DeliverableKind::TEXT;
  std::vector<std::string> values;      // the keys, or the link or text; empty while it is not available
  std::optional<Instant> available_at;  // null: it is available
};
BOOST_DESCRIBE_STRUCT(DeliveredPart, (), (name, kind, values, available_at))

struct DeliveredItem {
  EntitlementId entitlement_id;
  ProductId product_id;
  std::string product;  // its name
  std::vector<DeliveredPart> parts;
};
BOOST_DESCRIBE_STRUCT(DeliveredItem, (), (entitlement_id, product_id, product, parts))

// The parts of an item. None unless it is granted, and none that the master key does not open.
DeliveredItem delivered_item(Tx& tx, const std::optional<SecretBox>& secrets, const Entitlement& item, Instant now);

// The items of a paid order that have parts. None of a gift, which is its receiver's.
std::vector<DeliveredItem> delivered_items(Tx& tx, const std::optional<SecretBox>& secrets, const Order& order,
                                           Instant now);

}  // namespace guildhall
