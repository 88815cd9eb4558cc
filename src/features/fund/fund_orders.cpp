#include "features/fund/fund_orders.h"

namespace guildhall {
namespace {

void on_paid(Tx& tx, const Event& event) {
  const auto order = from_json<OrderEvent>(event.payload);
  OrderContribution contribution{.order = OrderId(order.order_id),
                                 .customer = std::nullopt,
                                 .donor_name = order.customer_name,
                                 .amount = fund_amount_of(order),
                                 .currency = order.currency,
                                 .anonymous = order.anonymous_contribution};
  if (order.customer_id) contribution.customer = CustomerId(*order.customer_id);
  contribute_from_order(tx, event.tenant, event.actor, contribution, event.at);
}

void on_refunded(Tx& tx, const Event& event) {
  const OrderId order(from_json<OrderEvent>(event.payload).order_id);
  if (event.actor.kind == ActorKind::PROVIDER) {  // the processor has taken the money: nobody can refuse
    reverse_as_far_as_possible(tx, event.tenant, event.actor, order, event.at);
  } else {
    reverse_for_refund(tx, event.tenant, event.actor, order, event.at);
  }
}

}  // namespace

Cents fund_amount_of(const OrderEvent& order) {
  Cents sum;
  for (const OrderEventItem& item : order.items) {
    if (item.product_id == community_fund_product) sum += Cents(item.unit_price_cents) * item.quantity;
  }
  return std::min(sum, Cents(order.total_cents));
}

void subscribe_fund(Events& events) {
  events.subscribe("order.paid", on_paid);
  events.subscribe("order.refunded", on_refunded);
}

}  // namespace guildhall
