#include "features/billing/billing_actions.h"
#include "features/billing/billing_store.h"
#include "features/billing/routes.h"
#include "features/identity/permissions.h"
#include "features/tenancy/tenant.h"
#include "features/webhooks/signatures.h"
#include "features/webhooks/webhook_checks.h"

namespace guildhall {
namespace {

using api::Access, api::Call, http::Method, http::Reply, api::route;

constexpr std::size_t body_bytes_max = 256 * 1024;
constexpr std::int64_t invoices_shown_max = 100;

struct BillingAcknowledged {
  bool ok = true;
};
BOOST_DESCRIBE_STRUCT(BillingAcknowledged, (), (ok))

struct BillingQuery {
  std::optional<Text<255>> customer_id;
};
BOOST_DESCRIBE_STRUCT(BillingQuery, (), (customer_id))

struct BillingView {
  std::optional<AccountView> account;
  std::vector<BillingInvoiceView> invoices;
};
BOOST_DESCRIBE_STRUCT(BillingView, (), (account, invoices))

Task<Reply> show(Call& call, Database& db) {
  const auto query = call.query<BillingQuery>();
  if (query.customer_id && !call.caller->may(platform_admin)) {
    throw forbidden("PERMISSION_DENIED", "Only a PlatformAdmin may ask for another's account.");
  }
  const auto account = co_await db.one(query.customer_id ? account_by_customer(query.customer_id->value)
                                                         : account_of_tenant(call.tenant));
  BillingView view;
  if (account) {
    view.account = view_of(*account);
    for (const BillingInvoice& invoice : co_await db.all(invoices_of(account->customer_id, invoices_shown_max))) {
      view.invoices.push_back(view_of(invoice));
    }
  }
  co_return api::json_reply(200, view);
}

void verify(const Call& call, const BillingConfig& config, const InstallationConfig& installation) {
  if (config.billing_webhook_secrets.empty()) {
    if (installation.development) return;
    throw no_webhook_secret("BILLING_WEBHOOK_SECRET");
  }
  if (!verify_billing_signature(call.request.header("billing-signature"), call.request.body,
                                config.billing_webhook_secrets, call.now)) {
    throw bad_signature();
  }
}

// The tenant that the event names, if it exists. Other events are stored with the default tenant, for PlatformAdmins.
Task<std::optional<TenantId>> tenant_of(Database& db, const JsonLookup& event) {
  const TenantId named(tenant_named_by(event));
  if (named.empty() || !co_await db.one(tenant_by_id(named))) co_return std::nullopt;
  co_return named;
}

Task<Reply> receive(Call& call, Database& db, const WebhookIntake& intake, const BillingConfig& config,
                    const InstallationConfig& installation) {
  verify(call, config, installation);
  require_json_object(call.request.body);
  const auto event = JsonLookup::parse(call.request.body);
  const auto tenant = co_await tenant_of(db, *event);
  const IncomingEvent incoming{.provider = billing_webhooks,
                               .event_id = event_key(event->text("/id"), call.request.body),
                               .payload = std::string(call.request.body),
                               .tenant = tenant.value_or(installation.default_tenant),
                               .platform_only = !tenant};
  const IntakeResult result = co_await intake.receive(db, incoming, call.now);
  // Both the provider and the outbox retry the event; the first that succeeds applies it.
  if (result.kind == IntakeResult::Kind::failed) {
    throw Failure(Failure::Kind::internal, "EVENT_NOT_APPLIED", "The event could not be applied; send it again.");
  }
  co_return api::json_reply(200, BillingAcknowledged{});
}

}  // namespace

Applied apply_billing_webhook(const ActionContext& context, const OperationsContact& operations,
                              const IncomingEvent& incoming) {
  const auto document = JsonLookup::parse(incoming.payload);
  const auto event = document ? billing_event_of(*document, context.now) : std::nullopt;
  if (!event) return Applied::ignored;
  if (!incoming.platform_only && tenant_named_by(*document) != context.tenant.text()) return Applied::ignored;
  apply_billing_event(context.tx, operations, *event, context.now);
  return Applied::processed;
}

std::vector<api::Route> billing_routes(Database& db, const WebhookIntake& intake, const BillingConfig& config,
                                       const InstallationConfig& installation) {
  std::vector<api::Route> routes{
      route(Method::get, "/api/admin/billing", Access::admin, "The tenant's account with the platform", show, db)
          .takes_query<BillingQuery>()
          .gives<BillingView>(200,
                              "The account, or null, and its latest invoices; a PlatformAdmin may ask by "
                              "customerId for any."),
  };
  if (config.billing_bound()) {
    routes.push_back(route(Method::post, "/api/billing-provider/webhook", Access::open,
                           "Events of the billing provider", receive, db, intake, config, installation)
                         .takes_raw(body_bytes_max)
                         .limited({"billing_webhook", config.rate_limit_billing_per_min})
                         .gives<BillingAcknowledged>(200, "Taken; also for other events."));
  }
  return routes;
}

}  // namespace guildhall
