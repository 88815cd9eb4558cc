#pragma once

#include "features/delivery/delivery_store.h"
#include "features/delivery/shop_secret.h"
#include "outbox/events.h"

// Gives keys to the items of buyers, inside the caller's transaction.
namespace guildhall {

// Why an item has no keys.
inline constexpr std::string_view no_key_left = "The pool of keys is empty.";
inline constexpr std::string_view other_master_key = "SERVICE_MASTER_KEY does not open the secret of the shop.";
inline constexpr std::string_view too_many_units = "An order gets at most 1,000 units of a digital product.";

// Makes the records of keys.
class KeyMaker {
 public:
  KeyMaker(const ActionContext& context, const SecretBox& secrets)
      : context_(context),
        secrets_(secrets),
        shop_(require_shop_secret(context.tx, secrets, context.tenant, context.now)) {}

  // False if the master key does not open the secret of the shop.
  bool is_able() const { return shop_ != nullptr; }

  // Adds a free key. False if the shop has it already.
  bool add_free(const Deliverable& pool, const std::string& text) const;

  // Gives new keys to an item: from the deliverable's pattern, or signed licences.
  void give_new(const Deliverable& deliverable, const Entitlement& item, std::int64_t count) const;

 private:
  DeliveryKey key_from(const Deliverable& deliverable, const std::string& text) const;
  std::string new_text(const Deliverable& deliverable, const Entitlement& item) const;

  const ActionContext& context_;
  const SecretBox& secrets_;
  const std::unique_ptr<const ShopSecret> shop_;
};

// Changes the stock, which is the number of keys that no order holds. False if there are fewer than are taken.
bool change_stock_by(const ActionContext& context, const ProductId& product, std::int64_t by);

// Takes keys that no order holds out of the stock. False if all free keys are held.
bool take_unreserved(const ActionContext& context, const ProductId& product, std::int64_t count);

// Gives an item keys of the pool: all that it needs, or none. `reserved` are those that its order held.
bool take_from_pool(const ActionContext& context, const Deliverable& pool, const Entitlement& item, std::int64_t count,
                    std::int64_t reserved);

// Gives an item all of its keys, or none. Returns why it has none; empty: it has them.
std::string_view give_keys(const ActionContext& context, const SecretBox& secrets, const Entitlement& item,
                           std::int64_t units, std::int64_t reserved);

}  // namespace guildhall
