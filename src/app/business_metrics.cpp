#include "app/business_metrics.h"

#include "features/orders/order_events.h"
#include "features/payments/payment_events.h"
#include "features/payments/refunds/refund_events.h"

namespace guildhall {
namespace {

template <class Event>
void count_orders(Events& events, Metrics& metrics, std::string_view what) {
  Counter& counter = metrics.counter("orders_total", "Orders by event.", {{"event", std::string(what)}});
  events.subscribe<Event>([&counter](const ActionContext& context, const Event&) {
    context.tx.after_commit([&counter] { counter.add(); });
  });
}

Counter& payments(Metrics& metrics, PaymentProvider provider, PaymentStatus status) {
  return metrics.counter("payments_total", "Payments that reached a status, by method.",
                         {{"method", std::string(name_of(provider))}, {"status", std::string(name_of(status))}});
}

Counter& refunds(Metrics& metrics, RefundStatus status) {
  return metrics.counter("refunds_total", "Refunds that reached a status.", {{"status", std::string(name_of(status))}});
}

}  // namespace

void count_business_events(Events& events, Metrics& metrics) {
  count_orders<OrderCreated>(events, metrics, "created");
  count_orders<OrderPaid>(events, metrics, "paid");
  count_orders<OrderShipped>(events, metrics, "shipped");
  count_orders<OrderCancelled>(events, metrics, "cancelled");
  count_orders<OrderRefunded>(events, metrics, "refunded");
  // All series exist from the start, so that the first payment shows as an increase.
  for (const PaymentProvider provider : PaymentProvider::all()) {
    for_each_name<PaymentStatus>([&](PaymentStatus status, std::string_view) { payments(metrics, provider, status); });
  }
  for_each_name<RefundStatus>([&](RefundStatus status, std::string_view) { refunds(metrics, status); });
  events.subscribe<PaymentChanged>([&metrics](const ActionContext& context, const PaymentChanged& event) {
    if (event.before != nullptr && event.before->status == event.payment.status) return;
    Counter& counter = payments(metrics, event.payment.provider, event.payment.status);
    context.tx.after_commit([&counter] { counter.add(); });
  });
  events.subscribe<RefundChanged>([&metrics](const ActionContext& context, const RefundChanged& event) {
    if (event.before != nullptr && event.before->status == event.refund.status) return;
    Counter& counter = refunds(metrics, event.refund.status);
    context.tx.after_commit([&counter] { counter.add(); });
  });
}

}  // namespace guildhall
