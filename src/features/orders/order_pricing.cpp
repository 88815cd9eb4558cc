#include "features/orders/order_pricing.h"

namespace guildhall {
namespace {

bool contains(const std::vector<std::string>& list, const std::string& wanted) {
  return std::find(list.begin(), list.end(), wanted) != list.end();
}

// Throws unless the customer fulfils every list of the scope. Each fulfilled list becomes a reason.
void require_eligible_customer(const DiscountScope& scope, const Basket& basket, AppliedDiscount& applied) {
  if (!scope.role_ids.empty()) {
    const auto role = std::find_if(basket.customer_role_ids.begin(), basket.customer_role_ids.end(),
                                   [&](const std::string& id) { return contains(scope.role_ids, id); });
    if (role == basket.customer_role_ids.end()) throw discount_not_eligible("the customer has none of its roles");
    applied.reasons.push_back("The customer has the role " + *role + ".");
  }
  if (!scope.customer_ids.empty()) {
    if (!basket.customer_id || !contains(scope.customer_ids, basket.customer_id->text())) {
      throw discount_not_eligible("it is for other customers");
    }
    applied.reasons.push_back("It is for the customer " + basket.customer_id->text() + ".");
  }
}

void choose_items(const DiscountScope& scope, const Basket& basket, AppliedDiscount& applied) {
  const bool all = scope.applies_to_all || scope.product_ids.empty();
  for (std::size_t i = 0; i < basket.items.size(); ++i) {
    if (!all && !contains(scope.product_ids, basket.items[i].product_id.text())) continue;
    applied.item_indexes.push_back(static_cast<std::int64_t>(i));
    applied.eligible_subtotal_cents += line_total(basket.items[i]);
  }
  if (applied.item_indexes.empty()) throw discount_not_eligible("it is for other products");
  applied.reasons.emplace_back(scope.applies_to_all ? "It applies to every order."
                               : all                ? "It applies to all items."
                                                    : "It applies to the items of its products.");
}

}  // namespace

void Codec<Quantity>::decode(JsonValue value, Quantity& out, Decoder& decoder) {
  Decoder inner(decoder.source());
  decode_integer(value, out.value, 1, safe_integer_max, inner);
  if (!inner.ok()) decoder.problem("must be a positive integer");
}

Cents line_total(const OrderItem& item) {
  return item.unit_price_cents * item.quantity;
}

Cents subtotal_of(const std::vector<OrderItem>& items) {
  Cents sum;
  for (const OrderItem& item : items) sum += line_total(item);
  return sum;
}

Cents discount_on(const std::vector<OrderItem>& items, const std::optional<AppliedDiscount>& applied, Cents discount,
                  const ProductId& product) {
  Cents eligible, of_product;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const auto index = static_cast<std::int64_t>(i);
    if (applied && !std::ranges::binary_search(applied->item_indexes, index)) continue;
    eligible += line_total(items[i]);
    if (items[i].product_id == product) of_product += line_total(items[i]);
  }
  if (eligible == Cents()) return {};
  const auto scaled = static_cast<__int128>(std::min(discount, eligible).value()) * of_product.value();
  return Cents(static_cast<std::int64_t>((scaled + eligible.value() / 2) / eligible.value()));
}

AppliedDiscount apply_discount(const Discount& discount, const Basket& basket) {
  AppliedDiscount applied{.discount_id = discount.id,
                          .code = discount.code,
                          .type = discount.type,
                          .percent = std::nullopt,
                          .amount_cents = std::nullopt,
                          .reasons = {},
                          .item_indexes = {},
                          .eligible_subtotal_cents = {},
                          .discount_cents = {}};
  if (discount.type == DiscountType::AMOUNT && discount.currency && *discount.currency != basket.currency) {
    throw discount_not_eligible("it is in another currency");
  }
  if (!discount.scope.applies_to_all) require_eligible_customer(discount.scope, basket, applied);
  choose_items(discount.scope, basket, applied);
  if (discount.type == DiscountType::PERCENT) {
    applied.percent = discount.percent;
    const Share share = share_of(applied.eligible_subtotal_cents, *discount.percent);
    applied.discount_cents = share.cents;
    applied.rest_ten_thousandths = share.rest_ten_thousandths;
  } else {
    applied.amount_cents = discount.amount_cents;
    applied.discount_cents = std::min(*discount.amount_cents, applied.eligible_subtotal_cents);
  }
  return applied;
}

}  // namespace guildhall
