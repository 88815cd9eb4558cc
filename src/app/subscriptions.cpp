#include "app/subscriptions.h"

#include "features/billing/billing_provider.h"
#include "features/entitlements/entitlement_actions.h"
#include "features/fund/fund_actions.h"
#include "features/identity/tenant_actions.h"
#include "features/media/media_store.h"
#include "features/memberships/membership_actions.h"
#include "features/orders/order_store.h"
#include "features/payments/refunds/refund_actions.h"
#include "features/reports/report_fold.h"
#include "features/webhooks/endpoint_delivery.h"

namespace guildhall {

void subscribe_all(Events& events, const BillingConfig& billing) {
  events.subscribe<TenantDeleted>([](const ActionContext& context, const TenantDeleted&) {
    if (!has_orders(context.tx, context.tenant)) return;
    throw conflict("TENANT_HAS_ORDERS", "A tenant with orders cannot be deleted.");
  });
  events.subscribe<TenantDeleted>(
      [](const ActionContext& context, const TenantDeleted&) { withdraw_media(context.tx, context.tenant); });
  subscribe_refunds(events);
  subscribe_reports(events);
  subscribe_fund(events);  // after those that read, because it locks the fund's balance until the commit
  subscribe_entitlements(events);
  subscribe_memberships(events);
  subscribe_billing(events, billing);
  events.set_publisher(endpoint_publisher());
}

}  // namespace guildhall
