#include "base/log.h"
#include "features/payments/routes.h"
#include "features/tenancy/tenant.h"
#include "features/webhooks/webhook_checks.h"

namespace guildhall {
namespace {

using api::Access, api::Call, http::Method, http::Reply, api::route;

constexpr std::size_t webhook_bytes_max = 256 * 1024;

struct PaymentAcknowledged {
  bool ok = true;
};
BOOST_DESCRIBE_STRUCT(PaymentAcknowledged, (), (ok))

IncomingWebhook incoming(const Call& call, const PaymentService& service) {
  return {.header = [&call](std::string_view name) { return std::string(call.request.header(name)); },
          .body = std::string(call.request.body),
          .url = service.installation().public_base_url + std::string(call.request.path)};
}

// Returns the owner of the tenant's account, and throws unless the bytes are signed with its secret. Without a secret
// production refuses everything; development accepts everything, and has warned at its start.
Task<AccountOwner> require_signature(const Call& call, Database& db, const PaymentService& service,
                                     PaymentProvider provider, const TenantId& tenant) {
  const Account account = co_await service.account(db, tenant, descriptor_of(provider).method);
  if (!account.verifies_webhooks()) {
    if (service.installation().development) co_return account.owner;
    throw Failure(Failure::Kind::internal, "WEBHOOK_SECRET_MISSING", "This webhook has no secret to be verified with.");
  }
  const IncomingWebhook webhook = incoming(call, service);
  bool good = false;
  try {
    good = co_await service.processor(provider).verify(account, webhook);
  } catch (const ProcessorFailure& failure) {
    throw unavailable(failure.what());
  }
  if (!good) throw bad_signature();
  co_return account.owner;
}

// Asks the processor at once about an event that is not enough by itself. If that fails, the outbox asks later.
Task<> ask_now(const Call& call, Database& db, const PaymentService& service, const TenantId& tenant,
               const CheckMessage& question) {
  const Actor actor{ActorKind::PROVIDER, std::string(name_of(question.provider)), call.request.request_id};
  try {
    co_await service.check(db, actor, tenant, question);
  } catch (const std::exception& failure) {
    log::warn("payment: the processor cannot be asked now; the outbox will ask",
              {{"provider", name_of(question.provider)},
               {"payment", question.provider_payment_id},
               {"error", failure.what()}});
  }
}

// Throws MALFORMED_JSON.
Notice read_notice(const PaymentService& service, PaymentProvider provider, std::string_view body) {
  Notice notice;
  decode_document(body,
                  [&](JsonValue document, Decoder&) { notice = service.read_webhook(provider, JsonLookup(document)); });
  return notice;
}

Task<Reply> receive(Call& call, Database& db, const PaymentService& service, const WebhookIntake& intake) {
  const ProcessorDescriptor* processor = find_processor_by_path(call.param(0));
  if (processor == nullptr) throw not_found("Payment provider");
  const TenantId tenant(call.param(1));
  const bool exists = (co_await db.one(tenant_by_id(tenant))).has_value();
  // Nothing is fetched for a tenant that does not exist, and the answer does not say that it does not.
  if (!exists && processor->fetches_certificates) throw bad_signature();
  const AccountOwner owner = co_await require_signature(call, db, service, processor->provider, tenant);
  const Notice notice = read_notice(service, processor->provider, call.request.body);
  if (!exists) throw not_found("Tenant");
  if (notice.event_id.empty()) co_return api::json_reply(200, PaymentAcknowledged{});

  const IncomingEvent event{.provider = processor->webhook_provider,
                            .event_id = notice.event_id,
                            .payload = std::string(call.request.body),
                            .tenant = tenant,
                            .verified_with = owner};
  std::optional<CheckMessage> question;
  const WebhookIntake::Apply apply = [&](const ActionContext& context, const IncomingEvent& stored) {
    const auto effect = service.apply_webhook(context, processor->provider, stored, notice);
    question = effect.question;
    return effect.applied;
  };
  const WebhookIntake::ReadAhead read_ahead = [&](Tx& tx) {
    PaymentService::read_ahead(tx, tenant, processor->provider, notice);
  };
  const IntakeResult result = co_await intake.receive(db, event, apply, read_ahead, call.now);
  if (result.kind == IntakeResult::Kind::processed && question) co_await ask_now(call, db, service, tenant, *question);
  co_return api::json_reply(200, PaymentAcknowledged{});
}

}  // namespace

std::vector<api::Route> payment_webhook_routes(Database& db, const PaymentService& service,
                                               const WebhookIntake& intake) {
  return {
      route(Method::post, "/api/payments/:provider/webhook/:tenantId", Access::open, "Webhooks of payment processors",
            receive, db, service, intake)
          .takes_raw(webhook_bytes_max)
          .limited({"payment_webhook", service.config().rate_limit_payments_per_min})
          .gives<PaymentAcknowledged>(200, "Stored, and applied if it says anything new."),
  };
}

}  // namespace guildhall
