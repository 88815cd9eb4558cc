#pragma once

#include "base/secret_box.h"
#include "features/delivery/delivery_store.h"
#include "features/records.h"
#include "outbox/events.h"

// The actions on deliverables and keys. Each runs in the caller's transaction.
namespace guildhall {

// Something of an item is there for its buyer, who is informed. `occasion` is another one each time.
struct ItemDelivered {
  static constexpr std::string_view name = "delivery.item_delivered";
  const Entitlement& item;
  std::string occasion;
};

// A buyer has paid for keys that the pool does not have. Staff is alerted.
struct KeysMissing {
  static constexpr std::string_view name = "delivery.keys_missing";
  const Entitlement& item;
};

inline constexpr Records<Deliverable> deliverable_records{.name = "Deliverable",
                                                          .subject = "deliverable",
                                                          .by_id = deliverable_by_id,
                                                          .update = update_deliverable,
                                                          .remove = erase_deliverable};

// Throws not_found for a product that the tenant does not have, and TOO_MANY_DELIVERABLES, ONE_KEY_POOL and
// KEYS_OF_A_MEMBERSHIP.
Deliverable create_deliverable(const ActionContext& context, const SecretBox& secrets, const ProductId& product,
                               const NewDeliverable& input);

Deliverable change_deliverable(const ActionContext& context, const SecretBox& secrets, const DeliverableId& id,
                               FunctionRef<void(Deliverable&)> edit);

// Throws KEYS_RESERVED if an unpaid order holds one of its keys. Keys that buyers have stay theirs.
void delete_deliverable(const ActionContext& context, const DeliverableId& id,
                        FunctionRef<void(const Deliverable&)> precondition);

struct AddedKeys {
  std::int64_t added = 0;
};
BOOST_DESCRIBE_STRUCT(AddedKeys, (), (added))

// Adds all keys to a pool, or none: throws Failure invalid that names the lines that are empty, too long, twice in the
// list, or known already. Buyers who wait for keys get them first, in the order of their payments.
AddedKeys add_keys(const ActionContext& context, const SecretBox& secrets, const DeliverableId& id,
                   const std::vector<std::string>& lines);

// Removes a free key from its pool. Throws KEYS_RESERVED, and KEY_ASSIGNED for the key of a buyer.
void delete_key(const ActionContext& context, const DeliveryKeyId& id,
                FunctionRef<void(const DeliveryKey&)> precondition);

// Revokes a buyer's key, gives the buyer another one and informs them. Throws not_found, KEY_NOT_ASSIGNED and
// NO_KEY_LEFT.
void replace_key(const ActionContext& context, const SecretBox& secrets, const DeliveryKeyId& id);

// Informs the buyer of a granted item once more. Throws not_found and NOTHING_DELIVERED.
void send_again(const ActionContext& context, const EntitlementId& id);

// The payload of this slice's topics: one of them.
struct DeliveryTask {
  std::optional<ProductId> product_id{};
  std::optional<EntitlementId> entitlement_id{};
  std::optional<OrderId> order_id{};
};
BOOST_DESCRIBE_STRUCT(DeliveryTask, (), (product_id, entitlement_id, order_id))

// Gives keys to buyers who wait for those of this product, while there are any. The topic serves those who remain.
constexpr std::string_view waiting_topic = "delivery.waiting";
void serve_waiting(const ActionContext& context, const SecretBox& secrets, const ProductId& product);

// Informs the buyer when a part becomes available.
constexpr std::string_view available_topic = "delivery.available";
void announce_available(const ActionContext& context, const EntitlementId& id, std::string occasion);

// Makes a paid order COMPLETE that has nothing to ship and whose items are all granted.
constexpr std::string_view complete_topic = "delivery.complete";
void complete_order(const ActionContext& context, const OrderId& id);

// Gives a new item its keys; takes them back from a revoked one.
void subscribe_delivery(Events& events, const std::optional<SecretBox>& secrets);

}  // namespace guildhall
