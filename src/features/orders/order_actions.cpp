#include "features/orders/order_actions.h"

#include "audit/audit.h"
#include "features/discounts/discount_store.h"
#include "features/orders/order_stock.h"
#include "features/orders/order_store.h"
#include "storage/record.h"

namespace guildhall {
namespace {

Discount usable_discount(Tx& tx, const Select<Discount>& select, Instant now) {
  auto discount = tx.one(select);
  if (!discount) throw discount_not_found();
  require_usable(*discount, now);
  return std::move(*discount);
}

// The discount that the patch asks for: none, or one that may be used, or the one that the order has.
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

// Which uses of discounts a change counts and gives back.
struct UsePlan {
  bool count = false;
  bool give_back = false;
};

UsePlan plan_use(const Order& before, Order& after) {
  if (!is_alive(before.status)) return {};
  if (before.discount_id != after.discount_id) {
    const bool holds = after.discount_id && is_alive(after.status);
    return {.count = (after.use_counted.value = holds), .give_back = before.use_counted};
  }
  if (before.status != OrderStatus::PENDING_PAYMENT || after.status != OrderStatus::CANCELLED) return {};
  after.use_counted.value = false;
  return {.count = false, .give_back = before.use_counted};
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

void emit_moves(const ActionContext& context, const Order& order, const Order* before) {
  const bool was_paid = before != nullptr && counts_as_paid(before->status);
  if (counts_as_paid(order.status) && !was_paid) context.emit(OrderPaid{order});
  // An order that is created as cancelled or refunded was not cancelled or refunded by this change.
  if (before == nullptr || before->status == order.status) return;
  if (order.status == OrderStatus::CANCELLED) context.emit(OrderCancelled{order});
  if (order.status == OrderStatus::REFUNDED) context.emit(OrderRefunded{order});
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

// A price that comes out the same is no change, though it was computed anew.
bool changes(const Order& before, const Order& after) {
  Order compared = after;
  compared.pricing = before.pricing;
  return needs_write(before, compared);
}

// Writes a changed order and all that follows from the change. Rows that others wait for come last.
// `shipment` is the payload of ShipmentShipped; without it the payload is made from the order.
void settle(const ActionContext& change, const Order& before, Order& after, const std::optional<Discount>& discount,
            const ShipmentPayload* shipment = nullptr) {
  Tx& tx = change.tx;
  const UsePlan use = plan_use(before, after);
  const StockChanges stock = plan_stock(tx, &before, after);
  const bool shipped = mark_shipped(&before, after, change.now);
  after.updated_at = change.now;
  update_order(tx, after);
  change_stock(tx, change.tenant, stock, change.now);
  audit_change(tx, change.tenant, change.actor, {"order", after.id.text()}, &before, &after, change.now);
  emit_moves(change, after, &before);
  if (shipped) emit_shipped(change, after, shipment);
  // In the order of the ids, so that two orders that swap their discounts do not wait for each other.
  const bool count_first = use.count && use.give_back && discount->id < *before.discount_id;
  if (count_first) count_use(tx, *discount);
  if (use.give_back) give_back_use(tx, change.tenant, *before.discount_id);
  if (use.count && !count_first) count_use(tx, *discount);
  count_move(tx, before, after);
}

}  // namespace

Order place_order(Tx& tx, const Events& events, const TenantId& tenant, const Actor& actor, const NewOrder& input,
                  Instant now) {
  const ActionContext change{tx, events, tenant, actor, now};
  Order order = order_from(input, tenant, now);
  std::optional<Discount> discount;
  if (input.discount_code) discount = usable_discount(tx, discount_by_code(tenant, input.discount_code->value), now);
  reprice(order, discount ? &*discount : nullptr, {}, actor, now);
  order.use_counted = {discount && is_alive(order.status)};
  request_contribution(change, order);
  const StockChanges stock = plan_stock(tx, nullptr, order);
  const bool shipped = mark_shipped(nullptr, order, now);

  insert_order(tx, order);
  change_stock(tx, tenant, stock, now);
  audit_change<Order>(tx, tenant, actor, {"order", order.id.text()}, nullptr, &order, now);
  change.emit(OrderCreated{order});
  emit_moves(change, order, nullptr);
  if (shipped) emit_shipped(change, order, nullptr);
  if (order.use_counted) count_use(tx, *discount);
  count_orders(tx, order, order.status, 1);
  return order;
}

Order change_order(Tx& tx, const Events& events, const TenantId& tenant, const Actor& actor, const OrderId& id,
                   const OrderPatch& patch, Instant now, FunctionRef<void(const Order&)> precondition,
                   const ShipmentPayload* shipment) {
  const ActionContext change{tx, events, tenant, actor, now};
  const Order before = read_order(tx, tenant, id);
  Order after = before;
  apply(patch, after, now);
  std::optional<Discount> discount;
  if (reprices(patch)) {
    discount = wanted_discount(tx, before, patch, now);
    reprice(after, discount ? &*discount : nullptr, patch, actor, now);
  } else {
    override_total(after, patch, actor, now);
  }
  if (patch.items || patch.currency) request_contribution(change, after);
  precondition(before);
  if (!changes(before, after)) return before;
  settle(change, before, after, discount, shipment);
  return after;
}

Order move_order(Tx& tx, const Events& events, const TenantId& tenant, const Actor& actor, const OrderId& id,
                 OrderStatus to, Instant now) {
  const Order before = read_order(tx, tenant, id);
  if (before.status == to) return before;
  Order after = before;
  move_to(after, to, now);
  settle({tx, events, tenant, actor, now}, before, after, std::nullopt);
  return after;
}

void delete_order(Tx& tx, const TenantId& tenant, const Actor& actor, const OrderId& id, Instant now,
                  FunctionRef<void(const Order&)> precondition) {
  const Order before = read_order(tx, tenant, id);
  precondition(before);
  Order after = before;
  const bool unpaid = before.status == OrderStatus::PENDING_PAYMENT;
  StockChanges stock;
  if (unpaid) {
    stock = give_back_all(after);
    after.use_counted = {false};
  }
  after.updated_at = now;
  after.deleted_at.value = now;
  after.is_open = {false};
  update_order(tx, after);
  change_stock(tx, tenant, stock, now);
  audit_change<Order>(tx, tenant, actor, {"order", id.text()}, &before, nullptr, now);
  if (unpaid && before.use_counted) give_back_use(tx, tenant, *before.discount_id);
  count_orders(tx, before, before.status, -1);
}

}  // namespace guildhall
