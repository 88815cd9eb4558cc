#include "features/payments/payment_webhook_api.h"

#include "base/log.h"
#include "features/tenancy/tenant.h"

namespace guildhall {
namespace {

using http::Access, http::Call, http::Method, http::Reply, http::route;

constexpr std::size_t webhook_bytes_max = 256 * 1024;

struct PaymentAcknowledged {
  bool ok = true;
};
BOOST_DESCRIBE_STRUCT(PaymentAcknowledged, (), (ok))

IncomingWebhook incoming(const Call& call, const PaymentDesk& desk) {
  return {.header = [&call](std::string_view name) { return std::string(call.request.header(name)); },
          .body = std::string(call.request.body),
          .url = desk.config().public_base_url + std::string(call.request.path)};
}

// Throws unless the bytes are signed with the tenant's secret. Without a secret production refuses everything;
// development takes everything, and has warned at its start.
Task<> require_signature(const Call& call, Database& db, const PaymentDesk& desk, PaymentProvider provider,
                         const TenantId& tenant) {
  const Account account = co_await desk.account(db, tenant, *method_of(provider));
  const Processor& processor = desk.processor(provider);
  if (account.value(processor.webhook_key()).empty()) {
    if (desk.config().development) co_return;
    throw Failure(Failure::Kind::internal, "WEBHOOK_SECRET_MISSING", "This webhook has no secret to be verified with.");
  }
  const IncomingWebhook webhook = incoming(call, desk);
  bool good = false;
  try {
    good = co_await desk.ask([&] { return processor.verify(account, webhook); });
  } catch (const ProcessorFailure& failure) {
    throw unavailable(failure.what());
  }
  if (!good) throw Failure(Failure::Kind::unauthenticated, "INVALID_SIGNATURE", "The signature does not fit the body.");
}

// The news that the provider has something to say is stored; what it says we ask for at once. Should that fail, the
// outbox asks.
Task<> ask_now(const Call& call, Database& db, const PaymentDesk& desk, PaymentProvider provider,
               const TenantId& tenant, const std::string& payment) {
  const Actor actor{ActorKind::PROVIDER, std::string(name_of(provider)), call.request.request_id};
  try {
    co_await desk.check(db, actor, tenant, provider, payment);
  } catch (const std::exception& failure) {
    log::warn("payment: the processor cannot be asked; it will be later",
              {{"provider", name_of(provider)}, {"payment", payment}, {"error", failure.what()}});
  }
}

Task<Reply> receive(Call& call, Database& db, const PaymentDesk& desk, const WebhookIntake& intake) {
  const auto provider = provider_in_path(call.param(0));
  if (!provider) throw not_found("Payment provider");
  const TenantId tenant(call.param(1));
  co_await require_signature(call, db, desk, *provider, tenant);
  if (!JsonLookup::parse(call.request.body)) throw bad_request("INVALID_JSON", "The body is not a JSON object.");
  if (!co_await db.one(tenant_by_id(tenant))) throw not_found("Tenant");

  const Notice notice = desk.notice(*provider, call.request.body);
  if (!notice.event_id.empty()) {
    const IncomingEvent event{.provider = webhook_provider_of(*provider),
                              .event_id = notice.event_id,
                              .payload = std::string(call.request.body),
                              .tenant = tenant};
    const IntakeResult result = co_await intake.receive(db, event, call.now);
    if (result.kind == IntakeResult::Kind::processed && !notice.ask.empty()) {
      co_await ask_now(call, db, desk, *provider, tenant, notice.ask);
    }
  }
  co_return http::json_reply(200, PaymentAcknowledged{});
}

}  // namespace

std::vector<http::Route> payment_webhook_routes(Database& db, const PaymentDesk& desk, const WebhookIntake& intake) {
  return {
      route(Method::post, "/api/payments/:provider/webhook/:tenantId", Access::open, "Webhooks of payment processors",
            receive, db, desk, intake)
          .takes_raw(webhook_bytes_max)
          .limited({"payment_webhook", desk.config().rate_limit_payments_per_min})
          .gives<PaymentAcknowledged>(200, "Stored, and applied if it says anything new."),
  };
}

}  // namespace guildhall
