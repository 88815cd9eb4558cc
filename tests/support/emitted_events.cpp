#include "support/emitted_events.h"

#include "features/webhooks/endpoint_delivery.h"
#include "features/webhooks/endpoint_store.h"

namespace guildhall::test {
namespace {

std::vector<OutgoingWebhook> queued_webhooks(TestServer& server) {
  static const Sql sql("SELECT payload FROM outbox_messages WHERE topic = $1 ORDER BY id");
  std::vector<OutgoingWebhook> webhooks;
  server.write([&](Tx& tx) {
    webhooks.clear();
    tx.run({&sql, {std::string(deliver_topic)}},
           [&](const Row& row) { webhooks.push_back(from_json<OutgoingWebhook>(row.text(0))); });
  });
  return webhooks;
}

}  // namespace

void listen_to_events(TestServer& server, const std::string& tenant) {
  WebhookEndpoint endpoint = endpoint_from({.url = {"https://example.com/"}}, TenantId(tenant), EndpointRules{}, now());
  endpoint.secret = {"cannot be opened"};
  server.write([&](Tx& tx) { insert_endpoint(tx, endpoint); });
}

std::vector<std::string> emitted_events(TestServer& server) {
  std::vector<std::string> names;
  for (const OutgoingWebhook& webhook : queued_webhooks(server)) names.push_back(webhook.event);
  return names;
}

std::vector<std::string> emitted_bodies(TestServer& server) {
  std::vector<std::string> bodies;
  for (const OutgoingWebhook& webhook : queued_webhooks(server)) bodies.push_back(webhook.body.text);
  return bodies;
}

}  // namespace guildhall::test
