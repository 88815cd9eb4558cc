#include "features/billing/billing_provider.h"

#include "base/url.h"
#include "features/billing/billing_actions.h"
#include "features/billing/billing_error.h"
#include "features/identity/tenant_actions.h"
#include "outbox/outbox.h"

namespace guildhall {
namespace {

struct NewBillingCustomer {
  std::string name;
};
BOOST_DESCRIBE_STRUCT(NewBillingCustomer, (), (name))

struct NewBillingSubscription {
  std::string customer_id;
};
BOOST_DESCRIBE_STRUCT(NewBillingSubscription, (), (customer_id))

using Form = std::vector<std::pair<std::string_view, std::string>>;

std::string encoded(const Form& form) {
  std::string text;
  for (const auto& [name, value] : form) {
    text.append(text.empty() ? "" : "&").append(name).append("=").append(url_encode(value));
  }
  return text;
}

outbound::Reply post(const BillingConfig& config, const outbox::Delivery& delivery, std::string_view path,
                     const Form& form) {
  return outbound::send_now({.method = "POST",
                             .url = config.billing_base_url + std::string(path),
                             .headers = {{"Authorization", "Bearer " + config.billing_api_key},
                                         {"Content-Type", "application/x-www-form-urlencoded"},
                                         {"Idempotency-Key", delivery.id}},
                             .body = encoded(form)});
}

outbox::Verdict verdict_on(const OperationsContact& operations, const outbox::Delivery& delivery,
                           const BillingError& error, const outbound::Reply& reply) {
  outbox::Verdict verdict{.kind = verdict_of(error.code), .reason = error.text()};
  const auto asked = reply.headers.find("retry-after");
  if (asked != reply.headers.end()) verdict.after = outbox::parse_retry_after(asked->second, now());
  if (concerns_operations(error.code)) {
    verdict.also = [operations, reason = verdict.reason, topic = delivery.topic, tenant = delivery.tenant](Tx& tx) {
      notify_operations(tx, operations, "Billing does not work: " + topic,
                        fmt::format("{} of tenant {} was refused.\n\n{}\n\nSee GET /api/admin/outbox?status=DEAD.\n",
                                    topic, tenant.text(), reason),
                        now());
    };
  }
  return verdict;
}

// A successful reply without the expected member is treated like a missing reply.
outbox::Verdict not_understood(std::string_view what) {
  return outbox::retry(fmt::format("unknown: the provider's reply names no {}", what));
}

}  // namespace

void subscribe_billing(Events& events, const BillingConfig& config) {
  if (config.billing_api_key.empty()) return;
  events.subscribe<TenantCreated>([](const ActionContext& context, const TenantCreated& event) {
    outbox::append(context.tx,
                   {.tenant = context.tenant,
                    .topic = std::string(billing_customer_topic),
                    .payload = to_json(NewBillingCustomer{event.tenant.name}),
                    .due = context.now},
                   context.now);
  });
}

outbox::Verdict create_billing_customer(const BillingConfig& config, const OperationsContact& operations,
                                        const outbox::Delivery& delivery) {
  const auto input = from_json<NewBillingCustomer>(delivery.payload);
  const outbound::Reply reply =
      post(config, delivery, "/v1/customers", {{"name", input.name}, {"metadata[tenantId]", delivery.tenant.text()}});
  if (const auto error = billing_error_of(reply)) return verdict_on(operations, delivery, *error, reply);
  const auto body = JsonLookup::parse(reply.body);
  const std::string customer = body ? body->text("/id") : "";
  if (customer.empty() || customer.size() > 255) return not_understood("customer");
  return outbox::done([&config, customer, tenant = delivery.tenant](Tx& tx) {
    const Instant at = now();
    change_account(tx, customer, at, [&](BillingAccount& account) { learn_maker(account, tenant); });
    if (config.billing_price_id.empty()) return;
    outbox::append(tx,
                   {.tenant = tenant,
                    .topic = std::string(billing_subscription_topic),
                    .payload = to_json(NewBillingSubscription{customer}),
                    .due = at},
                   at);
  });
}

outbox::Verdict create_billing_subscription(const BillingConfig& config, const OperationsContact& operations,
                                            const outbox::Delivery& delivery) {
  const auto input = from_json<NewBillingSubscription>(delivery.payload);
  const outbound::Reply reply = post(config, delivery, "/v1/subscriptions",
                                     {{"customer", input.customer_id},
                                      {"items[0][price]", config.billing_price_id},
                                      {"metadata[tenantId]", delivery.tenant.text()}});
  if (const auto error = billing_error_of(reply)) {
    outbox::Verdict verdict = verdict_on(operations, delivery, *error, reply);
    if (error->code == BillingErrorCode::card_declined) {  // shown to the tenant with its account
      verdict.also = [customer = input.customer_id, reason = error->message](Tx& tx) {
        const Instant at = now();
        change_account(tx, customer, at,
                       [&](BillingAccount& account) { learn_failure(account, reason, at.ms / 1000); });
      };
    }
    return verdict;
  }
  const auto body = JsonLookup::parse(reply.body);
  if (!body || body->text("/id").empty()) return not_understood("subscription");
  return outbox::done([body = std::string(reply.body), customer = input.customer_id](Tx& tx) {
    const auto document = JsonLookup::parse(body);
    const std::string created = document->text("/created");
    const std::int64_t at = created.empty() ? 0 : std::strtoll(created.c_str(), nullptr, 10);
    change_account(tx, customer, now(),
                   [&](BillingAccount& account) { learn(account, subscription_at(*document, "", at)); });
  });
}

}  // namespace guildhall
