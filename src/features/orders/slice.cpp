#include "features/slice.h"

#include "features/identity/tenant_actions.h"
#include "features/orders/order_config.h"
#include "features/orders/order_events.h"
#include "features/orders/order_expiry_job.h"
#include "features/orders/order_store.h"
#include "features/orders/routes.h"
#include "features/tenancy/tenant_settings.h"

namespace guildhall {
namespace {

void keep_tenants_with_orders(Events& events) {
  events.subscribe<TenantDeleted>([](const ActionContext& context, const TenantDeleted&) {
    if (!has_orders(context.tx, context.tenant)) return;
    throw conflict("TENANT_HAS_ORDERS", "A tenant with orders cannot be deleted.");
  });
}

void run_order_expiry(const JobFailures& failures, Storage& storage, const Events& events, const OrderConfig& config) {
  expire_unpaid_orders(storage, events, config.order_expiry_minutes, now(), failures);
}

void set_default_expiry(SettingsRules& rules, const OrderConfig& config) {
  rules.default_order_expiry_minutes = config.order_expiry_minutes;
}

}  // namespace

Slice orders_slice() {
  return Slice("orders")
      .table({.name = "orders",
              .other = "order_number status shipping_status items currency customer_id discount_id "
                       "discount_code shipment_id pricing stock_taken search",
              .personal = "customer customer_role_ids shipping_address tracking_number notes search_text "
                          "gift_to metadata",
              .erased = erased_by_code,
              .grows = true,
              .metadata = "deleted_at IS NULL"})
      .table({.name = "order_counters", .other = "status"})
      .table({.name = "order_products", .other = "product_id order_id", .grows = true})
      .contributes(set_default_expiry)
      .routes(order_routes)
      .routes(open_order_routes)
      .routes(order_history_routes)
      .routes(order_quote_routes)
      .events<OrderAnnounced, OrderCreated, OrderUpdated, OrderPaid, OrderFulfilling, OrderShipped, OrderCompleted,
              OrderCancelled, OrderRefunded, OrderDeleted, PaidOrderChanged, CurrencyChangeRequested,
              ContributionRequested>()
      .subscribes(keep_tenants_with_orders, Slice::Turn::reads)
      .job("order_expiry", std::chrono::seconds(30), run_order_expiry);
}

}  // namespace guildhall
