#pragma once

#include <optional>
#include <string>

#include "features/orders/order.h"
#include "storage/database.h"

// What a member has chosen to buy or to give, between the steps of a purchase.
namespace guildhall::chat {

struct Cart {
  TenantId tenant_id;
  std::string id;
  std::string chat_user_id;
  ProductId product_id;  // or community_fund_product: a donation
  std::int64_t quantity = 1;
  Cents unit_price_cents;  // as it was shown
  Currency currency;
  std::optional<std::string> discount_code;
  std::optional<JsonObject> shipping_address;
  bool anonymous = false;
  std::optional<OrderId> order_id;  // what became of it
  Instant expires_at;

  bool is_donation() const { return product_id.text() == community_fund_product; }
};
BOOST_DESCRIBE_STRUCT(Cart, (),
                      (tenant_id, id, chat_user_id, product_id, quantity, unit_price_cents, currency, discount_code,
                       shipping_address, anonymous, order_id, expires_at))

// Only its member finds it. Whoever else wants it waits until the transaction ends, and then sees what became of it.
std::optional<Cart> take_cart(Tx& tx, const TenantId& tenant, const std::string& id, const std::string& chat_user_id);

void insert_cart(Tx& tx, const Cart& cart);

// Of a cart that was taken.
void note_order(Tx& tx, const Cart& cart, const OrderId& order);

// Deletes up to `rows_max` carts that expired before that; returns how many.
std::int64_t forget_carts(Tx& tx, Instant before, std::int64_t rows_max);

}  // namespace guildhall::chat
