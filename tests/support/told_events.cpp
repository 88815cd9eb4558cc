#include "support/told_events.h"

#include "features/webhooks/endpoint_delivery.h"
#include "features/webhooks/endpoint_store.h"

namespace guildhall::test {

void listen_to_events(TestServer& server, const std::string& tenant) {
  WebhookEndpoint endpoint =
      endpoint_from({.url = {"https://example.com/"}}, TenantId(tenant), TargetRule::public_https, now());
  endpoint.secret = {"cannot be opened"};
  server.write([&](Tx& tx) { insert_endpoint(tx, endpoint); });
}

std::vector<std::string> told_events(TestServer& server) {
  static const Sql sql("SELECT payload FROM outbox_messages WHERE topic = $1 ORDER BY id");
  std::vector<std::string> names;
  server.write([&](Tx& tx) {
    names.clear();
    tx.run({&sql, {std::string(deliver_topic)}},
           [&](const Row& row) { names.push_back(from_json<OutgoingWebhook>(row.text(0)).event); });
  });
  return names;
}

}  // namespace guildhall::test
