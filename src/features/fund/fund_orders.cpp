#include "features/fund/fund_orders.h"

#include "features/orders/order_actions.h"
#include "features/orders/order_store.h"

namespace guildhall {
namespace {

// Refused when the order is placed or changed: nobody should pay for what cannot be credited.
void on_contribution(Tx& tx, const Event& event) {
  const FundConfig config = fund_config_or_default(tx, event.tenant, event.at);
  if (from_json<OrderEvent>(event.payload).currency == config.currency) return;
  throw bad_request("FUND_CURRENCY_MISMATCH",
                    fmt::format("The community fund takes contributions in {} only.", config.currency));
}

bool contributes(const OrderEvent& order) {
  return std::any_of(order.items.begin(), order.items.end(),
                     [](const OrderEventItem& item) { return item.product_id == community_fund_product; });
}

void on_paid(Tx& tx, const Event& event) {
  const auto order = from_json<OrderEvent>(event.payload);
  if (!contributes(order)) return;
  const auto stored = tx.one(order_by_id(event.tenant, OrderId(order.order_id)));
  if (!stored) throw WriteRace();
  OrderContribution contribution{.order = OrderId(order.order_id),
                                 .customer = std::nullopt,
                                 .donor_name = order.customer_name,
                                 .amount = paid_for(*stored, ProductId(std::string(community_fund_product))),
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

void subscribe_fund(Events& events) {
  events.subscribe(std::string(contribution_event), on_contribution);
  events.subscribe("order.paid", on_paid);
  events.subscribe("order.refunded", on_refunded);
}

}  // namespace guildhall
