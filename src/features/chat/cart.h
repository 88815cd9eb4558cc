#pragma once

#include <optional>
#include <string>

#include "features/orders/order.h"
#include "storage/database.h"

// A cart keeps what a member has chosen to buy or to donate, between the steps of a purchase.
namespace guildhall::chat {

struct Cart {
  TenantId tenant_id;
  std::string id;
  std::string chat_user_id;
  ProductId product_id;  // community_fund_product for a donation
  std::int64_t quantity = 1;
  Cents unit_price_cents;  // as shown to the member
  Currency currency;
  std::optional<std::string> discount_code;
  std::optional<JsonObject> shipping_address;
  bool anonymous = false;
  std::optional<OrderId> order_id;  // set once the cart has been ordered
  Instant expires_at;
  std::optional<std::string> gift_to{};  // the member who receives it
  std::optional<Cents> total_cents{};    // as shown to the member before the payment

  bool is_donation() const { return product_id.text() == community_fund_product; }
};
BOOST_DESCRIBE_STRUCT(Cart, (),
                      (tenant_id, id, chat_user_id, product_id, quantity, unit_price_cents, currency, discount_code,
                       shipping_address, anonymous, order_id, expires_at, gift_to, total_cents))

// Reads a member's cart and locks its row until commit. Nothing if there is none, or if it is another member's.
std::optional<Cart> lock_cart(Tx& tx, const TenantId& tenant, const std::string& id, const std::string& chat_user_id);

void insert_cart(Tx& tx, const Cart& cart);

// Records the order of a locked cart.
void set_cart_order(Tx& tx, const Cart& cart, const OrderId& order);

// Deletes up to `rows_max` carts that expired before `before`. Returns how many were deleted.
std::int64_t delete_expired_carts(Tx& tx, Instant before, std::int64_t rows_max);

}  // namespace guildhall::chat
