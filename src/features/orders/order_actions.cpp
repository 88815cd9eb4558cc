#include "features/orders/order_actions.h"

#include "features/catalog/product_store.h"
#include "features/discounts/discount_store.h"
#include "features/orders/order_stock.h"
#include "features/orders/order_store.h"
#include "features/orders/order_timeline.h"
#include "features/tenancy/shop_defaults.h"
#include "storage/metadata_index.h"
#include "storage/record.h"

namespace guildhall {
namespace {

// Reads the products of the items, for prices that were left out, for the prices that are shown as overridden, and to
// know whose stock is counted; and the shop's currency. Throws RECORD_TOO_LARGE if the names and SKUs that the items
// leave out are too long together: a short item can name a product with a long name, so this is checked before they are
// copied.
OrderBasis read_basis(Tx& tx, const TenantId& tenant, const std::vector<NewOrderItem>& items) {
  const std::vector<ProductId> ids = product_ids(items);
  ShopProducts found = ordered_products(tx, tenant, ids);
  OrderBasis basis{.products = {}, .shop_currency = found.shop_currency};
  OrderedProducts& products = basis.products;
  for (OrderedProduct& product : found.products) {
    const ProductId id = product.id;
    products.emplace(id, std::move(product));
  }
  std::size_t copied_bytes = 0;
  for (const NewOrderItem& item : items) {
    const auto product = products.find(item.product_id);
    if (product == products.end()) continue;
    if (!item.name) copied_bytes += product->second.name.size();
    if (!item.sku) copied_bytes += product->second.sku.size();
    if (copied_bytes > record_bytes_max) throw record_too_large();
  }
  return basis;
}

// Whether the order may be larger than twice its body, so that it must be measured (api::create_one measures the
// others): names were copied from products, or there are many items, to each of which fields are added.
bool may_be_large(const NewOrder& input) {
  constexpr std::size_t few_items = 100;
  const std::vector<NewOrderItem>& items = input.items;
  return items.size() > few_items || std::any_of(items.begin(), items.end(), [](const NewOrderItem& item) {
           return !item.name || !item.sku || !item.unit_price_cents;
         });
}

Discount usable_discount(Tx& tx, const Select<Discount>& select, Instant now) {
  auto discount = tx.one(select);
  if (!discount) throw discount_not_found();
  require_usable(*discount, now);
  return std::move(*discount);
}

// The order's discount after the patch. A discount that the order does not have yet must be usable.
std::optional<Discount> wanted_discount(Tx& tx, const Order& order, const OrderPatch& patch, Instant now) {
  const bool by_id = patch.discount_id && *patch.discount_id, by_code = patch.discount_code && *patch.discount_code;
  std::optional<Discount> current;
  if (order.discount_id) current = tx.one(discount_terms(order.tenant_id, *order.discount_id));
  if (!patch.discount_id && !patch.discount_code) return current;
  if (!by_id && !by_code) return std::nullopt;

  auto found = by_id ? tx.one(discount_by_id(order.tenant_id, **patch.discount_id))
                     : tx.one(discount_by_code(order.tenant_id, (**patch.discount_code).value));
  if (!found) throw discount_not_found();
  if (by_id && by_code) {
    const auto coded = tx.one(discount_by_code(order.tenant_id, (**patch.discount_code).value));
    if (!coded || coded->id != found->id) throw invalid_field("discountCode", "is not the code of discountId");
  }
  if (order.discount_id != found->id) require_usable(*found, now);
  return found;
}

// Which uses of discounts a change of an order counts and gives back.
struct UsePlan {
  bool count = false;
  bool give_back = false;
};

bool holds_use(const Order& order) {
  return order.use_counted && order.discount_id;
}

UsePlan plan_use(const Order& before, Order& after) {
  if (!is_alive(before.status)) return {};
  if (before.discount_id != after.discount_id) {
    const bool holds = after.discount_id && is_alive(after.status);
    return {.count = (after.use_counted.value = holds), .give_back = holds_use(before)};
  }
  if (before.status != OrderStatus::PENDING_PAYMENT || after.status != OrderStatus::CANCELLED) return {};
  after.use_counted.value = false;
  return {.count = false, .give_back = holds_use(before)};
}

// Records when the order is first marked shipped. Returns whether this change did it.
bool mark_shipped(const Order* before, Order& after, Instant now) {
  if (after.shipped_at.value || !reaches_shipped(before, after)) return false;
  after.shipped_at.value = now;
  return true;
}

void emit_shipped(const ActionContext& context, const Order& order, const ShipmentPayload* shipment) {
  context.emit(OrderShipped{order});
  if (shipment != nullptr) {
    context.emit(ShipmentShipped{*shipment});
  } else {
    context.emit(ShipmentShipped{shipment_payload_of(order, context.now)});
  }
}

// Lets the community fund refuse the order's contribution by throwing.
void request_contribution(const ActionContext& context, const Order& order) {
  const bool contributes = std::any_of(order.items.begin(), order.items.end(), [](const OrderItem& item) {
    return item.product_id.text() == community_fund_product;
  });
  if (contributes) context.emit(ContributionRequested{order});
}

// Throws ORDER_HAS_PAYMENTS if money was received for the order, or may be, in its present currency.
void request_currency_change(const ActionContext& context, const Order& order) {
  if (order.paid_at) throw order_has_payments();
  context.emit(CurrencyChangeRequested{order});
}

// `order` is an Order or a NewOrder; `id` is null for an order that will be placed.
void announce(const ActionContext& context, const auto& order, std::vector<ProductId> products, const OrderId* id) {
  std::optional<std::string> chat_user;
  if (order.customer.chat_id) chat_user = order.customer.chat_id->value;
  context.emit(OrderAnnounced{.is_paid = counts_as_paid(order.status),
                              .id = id,
                              .products = std::move(products),
                              .customer_id = order.customer_id,
                              .chat_user_id = std::move(chat_user)});
}

void emit_moves(const ActionContext& context, const Order& order, const Order* before,
                RefundCause cause = RefundCause::requested) {
  const bool was_paid = before != nullptr && counts_as_paid(before->status);
  if (counts_as_paid(order.status) && !was_paid) context.emit(OrderPaid{order});
  // An order that is created as cancelled or refunded was not cancelled or refunded by this change.
  if (before == nullptr || before->status == order.status) return;
  if (order.status == OrderStatus::FULFILLING) context.emit(OrderFulfilling{order});
  if (order.status == OrderStatus::COMPLETE) context.emit(OrderCompleted{order});
  if (order.status == OrderStatus::CANCELLED) context.emit(OrderCancelled{order});
  if (order.status == OrderStatus::REFUNDED) context.emit(OrderRefunded{order, cause});
}

void count_move(Tx& tx, const Order& before, const Order& after) {
  if (before.status == after.status) return;
  count_orders(tx, after, std::min(before.status, after.status), before.status < after.status ? -1 : 1);
  count_orders(tx, after, std::max(before.status, after.status), before.status < after.status ? 1 : -1);
}

Order read_order(Tx& tx, const TenantId& tenant, const OrderId& id) {
  auto order = tx.one(order_by_id(tenant, id));
  if (!order) throw not_found("Order");
  return std::move(*order);
}

// A price that was computed again with the same result is no change.
bool changes(const Order& before, const Order& after) {
  Order compared = after;
  compared.pricing = before.pricing;
  return needs_write(before, compared);
}

// Details of a change for its events, besides the order.
struct EventDetails {
  const ShipmentPayload* shipment = nullptr;  // null: the payload of ShipmentShipped is made from the order
  RefundCause refund_cause = RefundCause::requested;
};

// Writes a changed order, its stock, counts and audit entry, and emits its events. Rows that other transactions often
// wait for are written last.
void settle(const ActionContext& context, const Order& before, Order& after, const OrderedProducts& products,
            const std::optional<Discount>& discount, const EventDetails& details) {
  Tx& tx = context.tx;
  if (counts_as_paid(after.status) && !counts_as_paid(before.status))
    announce(context, after, product_ids(after.items), &after.id);
  const UsePlan use = plan_use(before, after);
  const StockChanges stock = plan_stock(products, &before, after);
  const bool shipped = mark_shipped(&before, after, context.now);
  after.updated_at = context.now;
  update_order(tx, after);
  update_order_products(tx, before, &after);
  index_metadata(tx, "orders", &before, &after);
  change_stock(context, stock, products);
  audit_order_change(context, before, after, details.shipment);
  if (before.paid_at) context.emit(PaidOrderChanged{before, after});
  if (before.status == after.status && !shipped) context.emit(OrderUpdated{after});
  emit_moves(context, after, &before, details.refund_cause);
  if (shipped) emit_shipped(context, after, details.shipment);
  // Discounts are updated in the order of their ids, so that two orders that swap theirs cannot deadlock.
  const bool count_first = use.count && use.give_back && discount->id < *before.discount_id;
  if (count_first) count_use(tx, *discount);
  if (use.give_back) give_back_use(tx, context.tenant, *before.discount_id);
  if (use.count && !count_first) count_use(tx, *discount);
  count_move(tx, before, after);
}

Order move(const ActionContext& context, const Order& before, OrderStatus to, const EventDetails& details) {
  if (before.status == to) return before;
  Order after = before;
  move_to(after, to, context.now);
  settle(context, before, after, {}, std::nullopt, details);
  return after;
}

// A new order with its price, and the records that the price was computed from.
struct PricedOrder {
  Order order;
  OrderedProducts products;
  std::optional<Discount> discount;
};

PricedOrder price_order(Tx& tx, const TenantId& tenant, const Actor& actor, const NewOrder& input, Instant now) {
  OrderBasis basis = read_basis(tx, tenant, input.items);
  Order order = order_from(input, basis, tenant, now);
  std::optional<Discount> discount;
  if (input.discount_code) discount = usable_discount(tx, discount_by_code(tenant, input.discount_code->value), now);
  reprice(order, discount ? &*discount : nullptr, {}, actor, now);
  if (may_be_large(input)) require_size(order);
  return {std::move(order), std::move(basis.products), std::move(discount)};
}

}  // namespace

void check_items(Tx& tx, const TenantId& tenant, const OrderedItems& body, bool currency_known,
                 const OrderId* changed) {
  const OrderBasis basis = read_basis(tx, tenant, body.items.value);
  const auto order = changed != nullptr ? tx.one(order_by_id(tenant, *changed)) : std::nullopt;
  std::optional<Currency> currency;
  if (currency_known) currency = body.currency.value_or(order ? order->currency : basis.shop_currency);
  auto problems = problems_of_items(body.items.value, currency, basis.products);
  if (!problems.empty()) throw invalid_fields(std::move(problems));
}

Order quote_order(Tx& tx, const TenantId& tenant, const Actor& actor, const NewOrder& input, Instant now) {
  return price_order(tx, tenant, actor, input, now).order;
}

void announce_order(const ActionContext& context, const NewOrder& input) {
  const std::vector<ProductId> products = product_ids(input.items.value);
  announce(context, input, products, nullptr);
  ordered_products_ahead(context.tx, context.tenant, products);
}

Order place_order(const ActionContext& context, const NewOrder& input, std::optional<Instant> kept_until) {
  Tx& tx = context.tx;
  announce(context, input, product_ids(input.items.value), nullptr);
  auto [order, products, discount] = price_order(tx, context.tenant, context.actor, input, context.now);
  order.use_counted = {discount && is_alive(order.status)};
  order.kept_until = {kept_until};
  request_contribution(context, order);
  const StockChanges stock = plan_stock(products, nullptr, order);
  const bool shipped = mark_shipped(nullptr, order, context.now);

  insert_order(tx, order);
  index_metadata<Order>(tx, "orders", nullptr, &order);
  change_stock(context, stock, products);
  context.audit_created({"order", order.id.text()}, order);
  context.emit(OrderCreated{order});
  emit_moves(context, order, nullptr);
  if (shipped) emit_shipped(context, order, nullptr);
  if (order.use_counted) count_use(tx, *discount);
  count_orders(tx, order, order.status, 1);
  return order;
}

Order change_order(const ActionContext& context, const OrderId& id, const OrderPatch& patch,
                   FunctionRef<void(const Order&)> precondition, const ShipmentPayload* shipment) {
  Tx& tx = context.tx;
  const Order before = read_order(tx, context.tenant, id);
  OrderBasis basis;
  if (patch.items) {
    basis = read_basis(tx, context.tenant, (*patch.items).value);
  } else if (patch.currency) {
    basis.shop_currency = read_shop_defaults(tx, context.tenant).currency;
  }
  Order after = before;
  apply(patch, basis, after, context.now);
  std::optional<Discount> discount;
  if (reprices(patch)) {
    discount = wanted_discount(tx, before, patch, context.now);
    reprice(after, discount ? &*discount : nullptr, patch, context.actor, context.now);
  } else {
    override_total(after, patch, context.actor, context.now);
  }
  if (after.currency != before.currency) request_currency_change(context, before);
  if (patch.items || patch.currency) request_contribution(context, after);
  precondition(before);
  if (!changes(before, after)) return before;
  settle(context, before, after, basis.products, discount, {.shipment = shipment});
  return after;
}

Order move_order(const ActionContext& context, const OrderId& id, OrderStatus to) {
  return move(context, read_order(context.tx, context.tenant, id), to, {});
}

Order move_order(const ActionContext& context, const Order& order, OrderStatus to) {
  return move(context, order, to, {});
}

Order refund_order(const ActionContext& context, const Order& order, RefundCause cause) {
  return move(context, order, OrderStatus::REFUNDED, {.refund_cause = cause});
}

void delete_order(const ActionContext& context, const OrderId& id, FunctionRef<void(const Order&)> precondition) {
  Tx& tx = context.tx;
  const Order before = read_order(tx, context.tenant, id);
  precondition(before);
  Order after = before;
  const bool unpaid = before.status == OrderStatus::PENDING_PAYMENT;
  StockChanges stock;
  if (unpaid) {
    stock = give_back_all(after);
    after.use_counted = {false};
  }
  after.updated_at = context.now;
  after.deleted_at.value = context.now;
  after.is_open = {false};
  update_order(tx, after);
  update_order_products(tx, before, nullptr);
  index_metadata<Order>(tx, "orders", &before, nullptr);
  change_stock(context, stock, {});
  context.audit_deleted({"order", id.text()}, before);
  context.emit(OrderDeleted{before});
  if (unpaid && holds_use(before)) give_back_use(tx, context.tenant, *before.discount_id);
  count_orders(tx, before, before.status, -1);
}

}  // namespace guildhall
