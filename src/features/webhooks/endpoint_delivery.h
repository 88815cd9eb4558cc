#pragma once

#include "base/metrics.h"
#include "base/secret_box.h"
#include "features/webhooks/endpoint.h"
#include "outbox/verdict.h"
#include "storage/storage.h"

// How a domain event reaches tenants' endpoints: the outbox's "event" becomes a message for each endpoint that wants
// it, and each of these is sent, signed, until the endpoint has taken it.
namespace guildhall {

constexpr std::string_view event_topic = "event";
constexpr std::string_view deliver_topic = "webhook.deliver";

struct OutgoingWebhook {
  WebhookEndpointId endpoint;
  std::string message_id;  // the same for every endpoint and attempt
  std::string event;
  RawJson body;
};
BOOST_DESCRIBE_STRUCT(OutgoingWebhook, (), (endpoint, message_id, event, body))

// An event's message for each endpoint that wants it.
void fan_out_event(Tx& tx, const outbox::Delivery& event, Instant now);

void queue_webhook(Tx& tx, const TenantId& tenant, const OutgoingWebhook& webhook, Instant now);

// What a secret is sealed for.
std::string secret_context(const TenantId& tenant, const WebhookEndpointId& id);

class EndpointDelivery {
 public:
  // `secrets` may be null: then deliveries wait until there is a master key again.
  EndpointDelivery(Storage& storage, Metrics& metrics, const SecretBox* secrets)
      : storage_(storage), metrics_(metrics), secrets_(secrets) {}

  outbox::Verdict deliver(const outbox::Delivery& delivery) const;

 private:
  std::vector<std::string> open_secrets(const WebhookEndpoint& endpoint, Instant now) const;
  void note(Tx& tx, const WebhookDelivery& attempt) const;

  Storage& storage_;
  Metrics& metrics_;
  const SecretBox* secrets_;
};

}  // namespace guildhall
