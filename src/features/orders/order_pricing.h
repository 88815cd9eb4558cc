#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/actor.h"
#include "features/discounts/discount.h"

// How an order's price comes about: pure, exact to the cent, the same whatever order the items come in.
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
    schema.raw(fmt::format(R"({{"type":"integer","minimum":1,"maximum":{}}})", safe_integer_max));
  }
};

struct OrderItem {
  ProductId product_id;
  Text<> name;
  Key sku;
  Quantity quantity;
  Cents unit_price_cents;
  Currency currency;
};
BOOST_DESCRIBE_STRUCT(OrderItem, (), (product_id, name, sku, quantity, unit_price_cents, currency))

// Throws AMOUNT_OUT_OF_RANGE, as everything here that computes with money.
Cents line_total(const OrderItem& item);
Cents subtotal_of(const std::vector<OrderItem>& items);

// The discount as it was applied: its terms then, what it was applied to and why.
struct AppliedDiscount {
  DiscountId discount_id;
  std::optional<std::string> code;
  DiscountType type = DiscountType::PERCENT;
  std::optional<Percent> percent;
  std::optional<Cents> amount_cents;
  std::vector<std::string> reasons;
  std::vector<std::int64_t> item_indexes;
  Cents eligible_subtotal_cents;
  Cents discount_cents;
  std::int64_t rest_ten_thousandths = 0;  // of a cent, lost by rounding; negative when it was rounded up
};
BOOST_DESCRIBE_STRUCT(AppliedDiscount, (),
                      (discount_id, code, type, percent, amount_cents, reasons, item_indexes, eligible_subtotal_cents,
                       discount_cents, rest_ten_thousandths))

// Who the discount is asked for, and on what.
struct Basket {
  const std::vector<OrderItem>& items;
  Currency currency;
  const std::optional<CustomerId>& customer_id;
  const std::vector<std::string>& customer_role_ids;
};

// Throws DISCOUNT_NOT_ELIGIBLE. Does not ask whether the discount is usable.
AppliedDiscount apply_discount(const Discount& discount, const Basket& basket);

// The part of an order's discount that falls on some of its items, in proportion to their price and rounded half up.
// Without an applied discount (the amount was set by hand) it falls on all items.
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

// What is kept with an order so that its price can be explained later. The items and amounts are the order's own.
struct PricingFacts {
  std::optional<AppliedDiscount> discount;
  std::vector<PriceOverride> overrides;
  Instant computed_at;
};
BOOST_DESCRIBE_STRUCT(PricingFacts, (), (discount, overrides, computed_at))

}  // namespace guildhall
