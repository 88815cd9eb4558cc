#pragma once

#include "features/orders/order.h"

// Explains an order's price step by step, from the data that was stored when it was computed.
namespace guildhall {

enum class PriceStepKind { ITEM, SUBTOTAL, DISCOUNT, ROUNDING, TAX, OVERRIDE, TOTAL };
BOOST_DESCRIBE_ENUM(PriceStepKind, ITEM, SUBTOTAL, DISCOUNT, ROUNDING, TAX, OVERRIDE, TOTAL)

struct PriceStep {
  PriceStepKind kind;
  std::string text;               // a sentence for people
  std::int64_t amount_cents = 0;  // added by the step (negative: subtracted), or its subtotal or total
  std::optional<std::int64_t> item_index;
};
BOOST_DESCRIBE_STRUCT(PriceStep, (), (kind, text, amount_cents, item_index))

struct PriceTrace {
  OrderId order_id;
  Currency currency;
  std::vector<PriceStep> steps;
  std::optional<AppliedDiscount> discount;
  std::vector<PriceOverride> overrides;
  Cents subtotal_cents;
  Cents discount_amount_cents;
  Cents tax_amount_cents;
  Cents total_cents;
  Instant computed_at;
};
BOOST_DESCRIBE_STRUCT(PriceTrace, (),
                      (order_id, currency, steps, discount, overrides, subtotal_cents, discount_amount_cents,
                       tax_amount_cents, total_cents, computed_at))

PriceTrace trace_of(const Order& order);

}  // namespace guildhall
