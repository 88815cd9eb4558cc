#include "features/slice.h"

#include "features/payments/payment_events.h"
#include "features/payments/refunds/refund_actions.h"
#include "features/payments/refunds/refund_events.h"
#include "features/payments/refunds/refund_service.h"
#include "features/payments/routes.h"

namespace guildhall {
namespace {

void handle_payment_webhooks(WebhookIntake& intake, const PaymentService& payments) {
  for (const ProcessorDescriptor* processor : processor_list) {
    intake.handle(processor->webhook_provider, [&payments, provider = processor->provider](const ActionContext& context,
                                                                                           const IncomingEvent& event) {
      return payments.apply_stored_webhook(context, provider, event);
    });
  }
}

void handle_payment_topics(outbox::Dispatcher& dispatcher, Storage& storage, const PaymentService& payments) {
  dispatcher.handle(std::string(payment_check_topic), [&storage, &payments](const outbox::Delivery& delivery) {
    return payments.carry_out_check(storage, delivery);
  });
  dispatcher.handle(std::string(refund_topic), [&storage, &payments](const outbox::Delivery& delivery) {
    return carry_out_refund(storage, payments, delivery);
  });
}

}  // namespace

Slice payments_slice() {
  return Slice("payments")
      .table({.name = "payment_methods", .other = "method settings", .sealed = "credentials", .sealed_for = "payments"})
      .table({.name = "payments",
              .other = "order_id provider provider_payment_id status currency expected_currency attention "
                       "checkout_url provider_reference error claimed_order_id opened_with",
              .grows = true})
      .table({.name = "refunds",
              .other = "order_id payment_id currency status provider_refund_id reason error",
              .grows = true})
      .table({.name = "invoice_links", .other = "order_id", .grows = true})
      .routes(payment_method_routes)
      .routes(payment_webhook_routes)
      .routes(payment_routes)
      .routes(refund_routes)
      .routes(invoice_routes)
      .events<PaymentChanged, RefundChanged, RefundCreated, RefundCompleted, RefundFailed>()
      .subscribes(subscribe_refunds, Slice::Turn::reads)
      .webhooks(handle_payment_webhooks)
      .topics(handle_payment_topics);
}

}  // namespace guildhall
