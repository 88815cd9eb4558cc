// The fund's reactions to events of orders.
#include "features/fund/fund_actions.h"
#include "features/orders/order_actions.h"

namespace guildhall {
namespace {

// The order is refused when it is placed or changed, so that nobody pays a contribution that cannot be credited.
void on_contribution_requested(const ActionContext& context, const ContributionRequested& event) {
  const FundConfig config = fund_config_or_default(context.tx, context.tenant, context.now);
  if (event.order.currency.code() == config.currency) return;
  throw bad_request("FUND_CURRENCY_MISMATCH",
                    fmt::format("The community fund takes contributions in {} only.", config.currency));
}

void on_paid(const ActionContext& context, const OrderPaid& event) {
  const Order& order = event.order;
  const OrderContribution contribution{.order = order.id,
                                       .customer = order.customer_id,
                                       .donor_name = order.customer.name,
                                       .amount = paid_to_fund(order),
                                       .currency = std::string(order.currency.code()),
                                       .anonymous = order.anonymous_contribution};
  contribute_from_order(context, contribution);
}

void on_refunded(const ActionContext& context, const OrderRefunded& event) {
  if (event.cause == RefundCause::requested) {
    reverse_for_refund(context, event.order.id);
  } else {  // the money has been returned already, so the fund cannot refuse
    const bool carried_out = event.cause == RefundCause::carried_out;
    reverse_as_far_as_possible(context, event.order.id, carried_out ? LedgerSource::REFUND : LedgerSource::CHARGEBACK);
  }
}

}  // namespace

void subscribe_fund(Events& events) {
  events.subscribe<ContributionRequested>(on_contribution_requested);
  events.subscribe<OrderPaid>(on_paid);
  events.subscribe<OrderRefunded>(on_refunded);
}

}  // namespace guildhall
