#include "features/slice.h"

#include "features/billing/billing_provider.h"
#include "features/billing/routes.h"

namespace guildhall {
namespace {

void handle_billing_webhooks(WebhookIntake& intake, const BillingConfig& config, const EmailConfig& email,
                             const InstallationConfig& installation) {
  if (!config.billing_bound()) return;
  const OperationsContact operations{email, installation};
  intake.handle(billing_webhooks, [operations](const ActionContext& context, const IncomingEvent& event) {
    return apply_billing_webhook(context, operations, event);
  });
}

void handle_billing_topics(outbox::Dispatcher& dispatcher, const BillingConfig& config, const EmailConfig& email,
                           const InstallationConfig& installation) {
  const OperationsContact operations{email, installation};
  dispatcher.handle(std::string(billing_customer_topic), [&config, operations](const outbox::Delivery& delivery) {
    return create_billing_customer(config, operations, delivery);
  });
  dispatcher.handle(std::string(billing_subscription_topic), [&config, operations](const outbox::Delivery& delivery) {
    return create_billing_subscription(config, operations, delivery);
  });
}

}  // namespace

Slice billing_slice() {
  return Slice("billing")
      .table({.name = "billing_accounts",
              .other = "customer_id owner_tenant_id named_tenant_id maker_tenant_id subscriptions failure"})
      .table({.name = "billing_invoices", .other = "invoice_id customer_id payment_intent_id failure_message"})
      .routes(billing_routes)
      .subscribes(subscribe_billing)
      .webhooks(handle_billing_webhooks)
      .topics(handle_billing_topics);
}

}  // namespace guildhall
