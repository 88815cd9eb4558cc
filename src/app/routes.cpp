#include "app/routes.h"

#include "api/openapi.h"
#include "app/event_list.h"
#include "features/billing/routes.h"
#include "features/catalog/routes.h"
#include "features/changes/routes.h"
#include "features/chat/routes.h"
#include "features/console/routes.h"
#include "features/customers/routes.h"
#include "features/discounts/routes.h"
#include "features/email/routes.h"
#include "features/entitlements/routes.h"
#include "features/fulfilment/routes.h"
#include "features/fund/routes.h"
#include "features/identity/routes.h"
#include "features/media/routes.h"
#include "features/memberships/routes.h"
#include "features/messages/routes.h"
#include "features/operations/routes.h"
#include "features/orders/routes.h"
#include "features/payments/routes.h"
#include "features/reports/routes.h"
#include "features/tenancy/routes.h"
#include "features/webhooks/routes.h"

namespace guildhall {

std::vector<api::Route> all_routes(Services& services) {
  std::vector<api::Route> routes;
  const auto add = [&](std::vector<api::Route> slice) {
    std::move(slice.begin(), slice.end(), std::back_inserter(routes));
  };
  add(console_routes());
  add(docs_routes());
  add(auth_routes(services.auth));
  add(product_routes(services.db, services.events));
  add(product_image_routes(services.db, services.events, services.media));
  add(media_routes(services.db, services.media));
  add(branding_routes(services.db, services.events, services.media));
  add(oauth_routes(services.auth));
  add(session_routes(services.auth));
  add(user_routes(services.auth));
  add(api_token_routes(services.auth));
  add(role_routes(services.auth));
  add(invitation_routes(services.auth));
  add(password_routes(services.auth));
  add(second_factor_routes(services.auth));
  add(tenant_routes(services.auth));
  add(guild_routes(services.db));
  add(customer_routes(services.db, services.events));
  add(webhook_event_routes(services.db, services.intake));
  add(webhook_endpoint_routes(services.webhook_endpoints));
  add(outbox_routes(services.db));
  add(email_routes(services.db, services.config, services.bot.outbound));
  add(discount_routes(services.db, services.events));
  add(order_routes(services.db, services.events));
  add(open_order_routes(services.db));
  add(order_history_routes(services.db));
  add(order_quote_routes(services.db));
  add(tenant_settings_routes(services.db, services.config));
  add(audit_routes(services.db));
  add(name_routes(services.db));
  add(fund_routes(services.db, services.events));
  add(entitlement_routes(services.db, services.events));
  add(membership_routes(services.db, services.events));
  add(membership_code_routes(services.db, services.events));
  add(message_routes(services.db, services.messages));
  add(unsubscribe_routes(services.db, services.messages));
  add(alert_routes(services.db, services.messages));
  add(invoice_message_routes(services.db, services.events, services.messages, services.payments));
  add(shipment_routes(services.db, services.events));
  add(shipping_webhook_routes(services.db, services.intake, services.config, services.config));
  add(billing_routes(services.db, services.intake, services.config, services.config));
  add(payment_method_routes(services.db, services.payments));
  add(payment_webhook_routes(services.db, services.payments, services.intake));
  add(payment_routes(services.db, services.events));
  add(refund_routes(services.db, services.payments));
  add(invoice_routes(services.db, services.payments));
  add(report_routes(services.db));
  add(chat_routes(services.bot));
  add(chat_setup_routes(services.bot));
  add(binding_code_routes(services.bot));
  add(guild_role_routes(services.bot));
  add(change_routes(services.changes));
  add(operations_routes(services.operations));
  add(platform_routes(services.platform));
  std::vector<api::OutgoingEvent> events(published_events().begin(), published_events().end());
  events.push_back(test_webhook());
  api::add_description_route(routes, events, services.config.public_base_url);
  return routes;
}

}  // namespace guildhall
