#pragma once

#include <array>

#include "base/metrics.h"
#include "base/secret_box.h"
#include "features/webhooks/endpoint.h"
#include "outbox/events.h"
#include "outbox/verdict.h"
#include "storage/storage.h"

// Sends domain events to the tenants' endpoints: a message for each endpoint that asked for the event is put into the
// outbox in the event's own transaction, and is then sent, signed, until the endpoint has accepted it.
namespace guildhall {

constexpr std::string_view deliver_topic = "webhook.deliver";

struct OutgoingWebhook {
  std::string message_id;  // the same for every endpoint and attempt
  std::string event;
  RawJson body;
};
BOOST_DESCRIBE_STRUCT(OutgoingWebhook, (), (message_id, event, body))

// Queues {"type", "timestamp", "data": payload} for each endpoint that asked for the event. On SQLite it first looks
// for such an endpoint, which is cheap there; on PostgreSQL the statement that queues also finds the endpoints, because
// a query of its own would cost a round trip.
Events::Publisher endpoint_publisher();

void queue_webhook(Tx& tx, const WebhookEndpoint& endpoint, const OutgoingWebhook& webhook, Instant now);

// The purpose that a secret is sealed for.
std::string secret_context(const TenantId& tenant, const WebhookEndpointId& id);

class EndpointDelivery {
 public:
  // `secrets` may be null: then deliveries wait until there is a master key again.
  EndpointDelivery(Storage& storage, Metrics& metrics, const SecretBox* secrets);

  outbox::Verdict deliver(const outbox::Delivery& delivery) const;

 private:
  std::vector<std::string> open_secrets(const WebhookEndpoint& endpoint, Instant now) const;
  void note(Tx& tx, const WebhookDelivery& attempt) const;

  Storage& storage_;
  const SecretBox* secrets_;
  std::array<Counter*, 6> answers_;  // by the first digit of the status; 0: there was no answer
  Counter& disabled_;
};

}  // namespace guildhall
