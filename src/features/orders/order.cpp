#include "features/orders/order.h"

#include "base/text.h"

namespace guildhall {
namespace {

std::vector<Problem> foreign_items(Currency currency, const std::vector<NewOrderItem>& given) {
  std::vector<Problem> problems;
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (given[i].currency && *given[i].currency != currency) {
      problems.push_back({fmt::format("items[{}].currency", i), "must be the order's currency"});
    }
  }
  return problems;
}

std::vector<OrderItem> items_in(Currency currency, const std::vector<NewOrderItem>& given) {
  if (auto problems = foreign_items(currency, given); !problems.empty()) throw invalid_fields(std::move(problems));
  std::vector<OrderItem> items;
  items.reserve(given.size());
  for (const NewOrderItem& item : given) {
    items.push_back({item.product_id, item.name, item.sku, item.quantity, item.unit_price_cents, currency});
  }
  return items;
}

// Returns the amount that was set by hand and records the override; without one, returns the computed amount.
Cents settled(const char* field, const Change<Cents>& by_hand, std::int64_t computed, Order& order, const Actor& actor,
              Instant now) {
  if (!by_hand) return Cents(computed);
  const Cents kept(std::clamp<std::int64_t>(computed, 0, Cents::value_max));
  order.pricing.value.overrides.push_back({.field = field,
                                           .cents = *by_hand,
                                           .computed_cents = kept,
                                           .actor_kind = actor.kind,
                                           .actor_id = actor.id,
                                           .at = now});
  return *by_hand;
}

std::int64_t total_of(const Order& order) {
  return order.subtotal_cents.value() - order.discount_amount_cents.value() + order.tax_amount_cents.value();
}

}  // namespace

void check(const NewOrder& input, Decoder& decoder) {
  if (decoder.found_in("currency")) return;
  for (Problem& problem : foreign_items(input.currency, input.items)) {
    if (!decoder.found_in(problem.field)) decoder.problem(std::move(problem));
  }
}

std::string search_text_of(const Order& order) {
  const auto chat_id = order.customer.chat_id ? order.customer.chat_id->value : "";
  return search_text({order.order_number, chat_id, order.customer.email.value_or(""), order.customer.name.value});
}

Order order_from(const NewOrder& input, const TenantId& tenant, Instant now) {
  Order order;
  order.id = OrderId::make(now);
  order.tenant_id = tenant;
  order.order_number = input.order_number;
  order.shipping_status = input.shipping_status;
  order.currency = input.currency;
  order.items = items_in(order.currency, input.items);
  order.customer = input.customer;
  order.customer_id = input.customer_id;
  order.customer_role_ids = input.customer_role_ids.value;
  order.shipping_address = input.shipping_address;
  order.shipment_id = input.shipment_id;
  order.tracking_number = input.tracking_number;
  order.notes = input.notes;
  order.anonymous_contribution = input.anonymous_contribution;
  order.created_at = order.updated_at = now;
  order.version = {1};
  order.search = {folded(order.order_number)};
  order.search_text = {search_text_of(order)};
  order.status = input.status;
  order.is_open = {is_open(order.status)};
  if (counts_as_paid(order.status)) order.paid_at = now;
  return order;
}

void apply(const OrderPatch& patch, Order& order, Instant now) {
  if (patch.currency) {
    order.currency = (*patch.currency).value_or(Currency());
    for (OrderItem& item : order.items) item.currency = order.currency;
  }
  if (patch.items) order.items = items_in(order.currency, (*patch.items).value);
  patch.customer.apply_to(order.customer);
  if (patch.customer) order.search_text = {search_text_of(order)};
  patch.customer_id.apply_to(order.customer_id);
  if (patch.customer_role_ids) {
    order.customer_role_ids = (*patch.customer_role_ids).value_or(KeyList());
  }
  patch.shipping_address.apply_to(order.shipping_address);
  patch.shipping_status.apply_to(order.shipping_status);
  patch.shipment_id.apply_to(order.shipment_id);
  patch.tracking_number.apply_to(order.tracking_number);
  patch.notes.apply_to(order.notes);
  if (patch.anonymous_contribution) order.anonymous_contribution = (*patch.anonymous_contribution).value_or(false);
  if (patch.status) move_to(order, *patch.status, now);
}

bool reprices(const OrderPatch& patch) {
  return patch.items || patch.discount_id || patch.discount_code || patch.tax_amount_cents || patch.currency ||
         patch.subtotal_cents || patch.discount_amount_cents;
}

void reprice(Order& order, const Discount* discount, const OrderPatch& patch, const Actor& actor, Instant now) {
  order.pricing.value = {.discount = std::nullopt, .overrides = {}, .computed_at = now};
  order.discount_id.reset();
  order.discount_code.reset();
  if (discount != nullptr) {
    order.pricing.value.discount =
        apply_discount(*discount, {order.items, order.currency, order.customer_id, order.customer_role_ids});
    order.discount_id = discount->id;
    order.discount_code = discount->code;
  }
  const auto& applied = order.pricing.value.discount;
  order.subtotal_cents =
      settled("subtotalCents", patch.subtotal_cents, subtotal_of(order.items).value(), order, actor, now);
  order.discount_amount_cents = settled("discountAmountCents", patch.discount_amount_cents,
                                        applied ? applied->discount_cents.value() : 0, order, actor, now);
  if (patch.tax_amount_cents) order.tax_amount_cents = (*patch.tax_amount_cents).value_or(Cents());
  order.total_cents = settled("totalCents", patch.total_cents, total_of(order), order, actor, now);
}

void override_total(Order& order, const OrderPatch& patch, const Actor& actor, Instant now) {
  if (!patch.total_cents) return;
  std::erase_if(order.pricing.value.overrides, [](const PriceOverride& made) { return made.field == "totalCents"; });
  order.total_cents = settled("totalCents", patch.total_cents, total_of(order), order, actor, now);
}

void move_to(Order& order, OrderStatus status, Instant now) {
  require_move(order.status, status);
  if (counts_as_paid(status) && !counts_as_paid(order.status)) order.paid_at = now;
  order.status = status;
  order.is_open = {is_open(status)};
}

Cents paid_for(const Order& order, const ProductId& product) {
  Cents asked;
  for (const OrderItem& item : order.items) {
    if (item.product_id == product) asked += line_total(item);
  }
  if (asked == Cents()) return asked;
  const auto& applied = order.pricing.value.discount;
  return std::min(asked - discount_on(order.items, applied, order.discount_amount_cents, product), order.total_cents);
}

Cents paid_to_fund(const Order& order) {
  return paid_for(order, ProductId(std::string(community_fund_product)));
}

OrderPayload payload_of(const Order& order) {
  OrderPayload payload{.order_id = order.id.text(),
                       .order_number = order.order_number,
                       .status = std::string(name_of(order.status)),
                       .currency = std::string(order.currency.code()),
                       .total_cents = order.total_cents.value(),
                       .customer_id = std::nullopt,
                       .customer_name = order.customer.name,
                       .customer_chat_id = order.customer.chat_id,
                       .anonymous_contribution = order.anonymous_contribution,
                       .contribution_cents = paid_to_fund(order).value(),
                       .items = {}};
  if (order.customer_id) payload.customer_id = order.customer_id->text();
  for (const OrderItem& item : order.items) {
    payload.items.push_back(
        {item.product_id.text(), item.name, item.sku, item.quantity, item.unit_price_cents.value()});
  }
  return payload;
}

bool reaches_shipped(const Order* before, const Order& after) {
  const bool by_status = after.status == OrderStatus::SHIPPED && (before == nullptr || before->status != after.status);
  const bool by_parcel = after.shipping_status == OrderShippingStatus::SHIPPED &&
                         (before == nullptr || before->shipping_status != after.shipping_status);
  return by_status || by_parcel;
}

ShipmentPayload shipment_payload_of(const Order& order, Instant now) {
  ShipmentPayload payload{.shipment_id = order.shipment_id,
                          .order_id = order.id.text(),
                          .order_number = order.order_number,
                          .customer_id = std::nullopt,
                          .customer_chat_id = order.customer.chat_id,
                          .status = "SHIPPED",
                          .carrier = std::nullopt,
                          .service = std::nullopt,
                          .tracking_number = order.tracking_number,
                          .detail = std::nullopt,
                          .shipped_at = now,
                          .delivered_at = std::nullopt};
  if (order.customer_id) payload.customer_id = order.customer_id->text();
  return payload;
}

Failure order_number_taken() {
  return bad_request("ORDER_NUMBER_TAKEN", "Another order has this orderNumber already.");
}

}  // namespace guildhall
