#include "features/orders/price_trace.h"

#include "base/money_text.h"

namespace guildhall {
namespace {

class Tracer {
 public:
  explicit Tracer(const Order& order) : order_(order) {}

  std::vector<PriceStep> steps() {
    for (std::size_t i = 0; i < order_.items.size(); ++i) add_item(i);
    add(PriceStepKind::SUBTOTAL, "The items together.", subtotal_of(order_.items).value());
    add_override("subtotalCents");
    if (order_.pricing.value.discount) add_discount(*order_.pricing.value.discount);
    add_override("discountAmountCents");
    if (order_.tax_amount_cents > Cents()) {
      add(PriceStepKind::TAX, "Sales tax, as given.", order_.tax_amount_cents.value());
    }
    add_override("totalCents");
    add(PriceStepKind::TOTAL, "Subtotal less discount plus tax, or as set by hand.", order_.total_cents.value());
    return std::move(steps_);
  }

 private:
  void add(PriceStepKind kind, std::string text, std::int64_t cents, std::optional<std::int64_t> item = {}) {
    steps_.push_back({kind, std::move(text), cents, item});
  }

  std::string money(Cents cents) const { return money_text(cents, order_.currency); }

  void add_item(std::size_t i) {
    const OrderItem& item = order_.items[i];
    add(PriceStepKind::ITEM,
        fmt::format("{} × {} at {}.", item.quantity.value, item.name.value, money(item.unit_price_cents)),
        line_total(item).value(), static_cast<std::int64_t>(i));
    if (!item.price_overridden || !item.list_price_cents) return;
    add(PriceStepKind::OVERRIDE,
        fmt::format("The price of {} is {} instead of the product's price of {}.", item.name.value,
                    money(item.unit_price_cents), money(*item.list_price_cents)),
        item.unit_price_cents.value(), static_cast<std::int64_t>(i));
  }

  void add_discount(const AppliedDiscount& discount) {
    std::string text = discount.code ? fmt::format("Discount {}: ", *discount.code) : "Discount: ";
    if (discount.percent) {
      text += fmt::format("{} % of {}", to_string(*discount.percent), money(discount.eligible_subtotal_cents));
    } else {
      text += fmt::format("{}, at most {}", money(*discount.amount_cents), money(discount.eligible_subtotal_cents));
    }
    text += fmt::format(" ({} of {} items).", discount.item_indexes.size(), order_.items.size());
    for (const std::string& reason : discount.reasons) text.append(" ").append(reason);
    add(PriceStepKind::DISCOUNT, std::move(text), -discount.discount_cents.value());
    if (discount.rest_ten_thousandths != 0) {
      add(PriceStepKind::ROUNDING,
          fmt::format("Rounded half up to a whole cent: {} by {}/10000 of a cent.",
                      discount.rest_ten_thousandths < 0 ? "up" : "down", std::abs(discount.rest_ten_thousandths)),
          0);
    }
  }

  void add_override(std::string_view field) {
    for (const PriceOverride& made : order_.pricing.value.overrides) {
      if (made.field != field) continue;
      add(PriceStepKind::OVERRIDE,
          fmt::format("{} set by hand to {} instead of {}, by {} {} at {}.", field, money(made.cents),
                      money(made.computed_cents), name_of(made.actor_kind), made.actor_id, to_string(made.at)),
          made.cents.value());
    }
  }

  const Order& order_;
  std::vector<PriceStep> steps_;
};

}  // namespace

PriceTrace trace_of(const Order& order) {
  return {.order_id = order.id,
          .currency = order.currency,
          .steps = Tracer(order).steps(),
          .discount = order.pricing.value.discount,
          .overrides = order.pricing.value.overrides,
          .subtotal_cents = order.subtotal_cents,
          .discount_amount_cents = order.discount_amount_cents,
          .tax_amount_cents = order.tax_amount_cents,
          .total_cents = order.total_cents,
          .computed_at = order.pricing.value.computed_at};
}

}  // namespace guildhall
