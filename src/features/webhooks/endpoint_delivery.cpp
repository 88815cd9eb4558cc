#include "features/webhooks/endpoint_delivery.h"

#include "audit/audit.h"
#include "base/log.h"
#include "base/text.h"
#include "features/webhooks/endpoint_store.h"
#include "features/webhooks/standard_webhooks.h"
#include "outbound/http_client.h"
#include "outbox/outbox.h"

namespace guildhall {
namespace {

constexpr std::chrono::milliseconds send_ms_max{10'000};
constexpr std::size_t reply_bytes_max = 64 * 1024;

// The receiver's status, or the reason why there was no reply.
std::string reason_of(const outbound::Reply& reply) {
  return reply.status == 0 ? reply.error : fmt::format("the endpoint answered {}", reply.status);
}

outbound::Request request_for(const WebhookEndpoint& endpoint, const OutgoingWebhook& webhook,
                              std::span<const std::string> secrets, Instant at) {
  return {.method = "POST",
          .url = endpoint.url,
          .headers = {{"Content-Type", "application/json"},
                      {"webhook-id", webhook.message_id},
                      {"webhook-timestamp", fmt::format("{}", at.ms / 1000)},
                      {"webhook-signature", webhook_signature(webhook.message_id, at, webhook.body.text, secrets)}},
          .body = webhook.body.text,
          .total_ms_max = send_ms_max,
          .reply_bytes_max = reply_bytes_max,
          .url_from_tenant = true};
}

WebhookDelivery attempt_of(const outbox::Delivery& delivery, const OutgoingWebhook& webhook,
                           const outbound::Reply& reply, Instant at) {
  return {.id = WebhookDeliveryId::make(at),
          .tenant_id = delivery.tenant,
          .endpoint_id = WebhookEndpointId(delivery.receiver),
          .message_id = webhook.message_id,
          .event = webhook.event,
          .attempt = delivery.attempts,
          .outcome = reply.ok() ? DeliveryOutcome::SUCCEEDED : DeliveryOutcome::FAILED,
          .status_code = reply.status == 0 ? std::nullopt : std::optional<std::int64_t>(reply.status),
          .duration_ms = now().ms - at.ms,
          .error = reply.ok() ? std::nullopt : std::optional(storable_text(reason_of(reply))),
          .payload = webhook.body,
          .created_at = at};
}

// A redirect counts as a failure: its target has not been checked.
outbox::Verdict verdict_on(const outbound::Reply& reply, const OutgoingWebhook& webhook, Instant at) {
  if (reply.ok()) return outbox::done();
  if (webhook.event == test_event)
    return outbox::dead(reason_of(reply));  // an admin waits for the result, so it is not retried
  const auto asked = reply.headers.find("retry-after");
  return outbox::retry(reason_of(reply),
                       asked == reply.headers.end() ? std::nullopt : outbox::parse_retry_after(asked->second, at));
}

bool may_be_wanted(const ActionContext& context, std::string_view event) {
  return !context.tx.has_single_writer() || is_wanted(context.tx, context.tenant, event);
}

void publish(const ActionContext& context, std::string_view event, const std::string& payload) {
  const json::Value body =
      json::object({{"type", event}, {"timestamp", context.now}, {"data", json::verbatim(payload)}});
  const std::string id = make_uuid(context.now);
  queue_for_endpoints(context.tx,
                      {.tenant = context.tenant,
                       .topic = std::string(deliver_topic),
                       .payload = to_json(OutgoingWebhook{id, std::string(event), {body.text}}),
                       .due = context.now},
                      id, event);
}

}  // namespace

void queue_webhook(Tx& tx, const WebhookEndpoint& endpoint, const OutgoingWebhook& webhook, Instant now) {
  outbox::append(tx,
                 {.tenant = endpoint.tenant_id,
                  .topic = std::string(deliver_topic),
                  .payload = to_json(webhook),
                  .due = now,
                  .receiver = endpoint.id.text()},
                 now);
}

Events::Publisher endpoint_publisher() {
  return {.wants = may_be_wanted, .publish = publish};
}

std::string secret_context(const TenantId& tenant, const WebhookEndpointId& id) {
  return fmt::format("webhook-endpoint/{}/{}", tenant.text(), id.text());
}

std::vector<std::string> EndpointDelivery::open_secrets(const WebhookEndpoint& endpoint, Instant now) const {
  std::vector<std::string> opened;
  const auto open = [&](const std::string& sealed) {
    auto secret =
        secrets_ == nullptr ? std::nullopt : secrets_->open(sealed, secret_context(endpoint.tenant_id, endpoint.id));
    if (!secret) throw std::runtime_error("the endpoint's secret cannot be opened: check SERVICE_MASTER_KEY");
    opened.push_back(std::move(*secret));
  };
  open(endpoint.secret);
  if (endpoint.previous_secret.value && endpoint.previous_secret_until.value > now) {
    open(*endpoint.previous_secret.value);
  }
  return opened;
}

// The counters begin with zero, because Prometheus does not see the increase of one that begins with one.
EndpointDelivery::EndpointDelivery(Storage& storage, Metrics& metrics, const SecretBox* secrets)
    : storage_(storage),
      secrets_(secrets),
      disabled_(metrics.counter("webhook_endpoints_disabled_total",
                                "Endpoints that were switched off because they kept failing.")) {
  for (std::size_t i = 0; i < answers_.size(); ++i) {
    answers_[i] = &metrics.counter("webhook_deliveries_total",
                                   "Attempts to deliver an event to a tenant's endpoint, by its answer.",
                                   {{"answer", i == 0 ? "none" : fmt::format("{}xx", i)}});
  }
}

outbox::Verdict EndpointDelivery::deliver(const outbox::Delivery& delivery) const {
  OutgoingWebhook webhook;
  decode_stored(delivery.payload,
                [&](JsonValue json, Decoder& decoder) { Codec<OutgoingWebhook>::decode(json, webhook, decoder); });
  std::optional<WebhookEndpoint> endpoint;
  storage_.read_now(
      [&](Tx& tx) { endpoint = tx.one(endpoint_by_id(delivery.tenant, WebhookEndpointId(delivery.receiver))); });
  if (!endpoint) return outbox::done();  // deleted meanwhile
  if (!endpoint->enabled && webhook.event != test_event) return outbox::dead("the endpoint is disabled");
  const Instant at = now();
  const outbound::Reply reply = outbound::send_now(request_for(*endpoint, webhook, open_secrets(*endpoint, at), at));
  answers_[std::min<std::size_t>(reply.status / 100, answers_.size() - 1)]->add();
  outbox::Verdict verdict = verdict_on(reply, webhook, at);
  verdict.also = [this, attempt = attempt_of(delivery, webhook, reply, at)](Tx& tx) { note(tx, attempt); };
  return verdict;
}

void EndpointDelivery::note(Tx& tx, const WebhookDelivery& attempt) const {
  const Instant at = now();
  insert_delivery(tx, attempt);
  if (attempt.event == test_event) return;
  if (attempt.outcome == DeliveryOutcome::SUCCEEDED) {
    return note_success(tx, attempt.tenant_id, attempt.endpoint_id, at);
  }
  note_failure(tx, attempt.tenant_id, attempt.endpoint_id, at);
  const std::string reason = fmt::format("Every delivery of the last {} days failed; the last one: {}",
                                         endpoint_failing_max.count() / 24, attempt.error.value_or(""));
  if (!disable_if_failing(tx, attempt.tenant_id, attempt.endpoint_id, reason, at)) return;
  audit(tx, attempt.tenant_id, {ActorKind::SYSTEM, "webhooks", ""}, {"webhook-endpoint", attempt.endpoint_id.text()},
        "disabled", "{}", at);
  disabled_.add();
  log::error("webhooks: an endpoint is switched off because it kept failing",
             {{"tenant", attempt.tenant_id.text()}, {"endpoint", attempt.endpoint_id.text()}});
}

}  // namespace guildhall
