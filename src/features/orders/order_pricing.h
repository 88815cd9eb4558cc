#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/actor.h"
#include "features/discounts/discount.h"

// The rules of an order's price. Pure, exact to the cent, and independent of the order of the items.
namespace guildhall {

struct Quantity {
  std::int64_t value = 1;
  operator std::int64_t() const { return value; }  // NOLINT(google-explicit-constructor)
};

template <>
struct Codec<Quantity> : PlainCodec {
  static void decode(JsonValue value, Quantity& out, Decoder& decoder);
  static void encode(std::string& out, Quantity value) { json::append_integer(out, value.value); }
  static void schema(Schema& schema) {
    schema.raw(json::object({{"type", "integer"}, {"minimum", 1}, {"maximum", safe_integer_max}}).text);
  }
};

struct OrderItem {
  ProductId product_id;
  Text<> name;
  Key sku;
  Quantity quantity;
  Cents unit_price_cents;
  Currency currency;
  std::optional<Cents> list_price_cents{};  // the product's price at that time; null without one in this currency
  Default<bool> price_overridden{false};    // whether the item has another price than the product; absent in old orders
};
BOOST_DESCRIBE_STRUCT(OrderItem, (),
                      (product_id, name, sku, quantity, unit_price_cents, currency, list_price_cents, price_overridden))

// Throws AMOUNT_OUT_OF_RANGE, as does every function here that computes with money.
Cents line_total(const OrderItem& item);
Cents subtotal_of(const std::vector<OrderItem>& items);

// The discount as it was applied: its terms at that time, the items that it was applied to, and the reasons.
struct AppliedDiscount {
  DiscountId discount_id;
  std::optional<std::string> code;
  DiscountType type = DiscountType::PERCENT;
  std::optional<Percent> percent;
  std::optional<Cents> amount_cents;
  std::vector<std::string> reasons;
  std::vector<std::int64_t> item_indexes;  // ascending
  Cents eligible_subtotal_cents;
  Cents discount_cents;
  std::int64_t rest_ten_thousandths = 0;  // of a cent, lost by rounding; negative if it was rounded up
};
BOOST_DESCRIBE_STRUCT(AppliedDiscount, (),
                      (discount_id, code, type, percent, amount_cents, reasons, item_indexes, eligible_subtotal_cents,
                       discount_cents, rest_ten_thousandths))

// The items and the customer for which a discount is requested.
struct Basket {
  const std::vector<OrderItem>& items;
  Currency currency;
  const std::optional<CustomerId>& customer_id;
  const std::vector<std::string>& customer_role_ids;
};

// Throws DISCOUNT_NOT_ELIGIBLE. Does not check whether the discount is usable (require_usable).
AppliedDiscount apply_discount(const Discount& discount, const Basket& basket);

// The share of an order's discount that belongs to the items of a product, in proportion to their price and rounded
// half up. Without an applied discount (the amount was set by hand) all items share it.
Cents discount_on(const std::vector<OrderItem>& items, const std::optional<AppliedDiscount>& applied, Cents discount,
                  const ProductId& product);

// An amount set by hand, instead of the computed one.
struct PriceOverride {
  std::string field;  // subtotalCents, discountAmountCents or totalCents
  Cents cents;
  Cents computed_cents;
  ActorKind actor_kind = ActorKind::SYSTEM;
  std::string actor_id;
  Instant at;
};
BOOST_DESCRIBE_STRUCT(PriceOverride, (), (field, cents, computed_cents, actor_kind, actor_id, at))

// The data that is stored with an order, besides its items and amounts, so that its price can be explained later.
struct PricingFacts {
  std::optional<AppliedDiscount> discount;
  std::vector<PriceOverride> overrides;
  Instant computed_at;
};
BOOST_DESCRIBE_STRUCT(PricingFacts, (), (discount, overrides, computed_at))

}  // namespace guildhall
