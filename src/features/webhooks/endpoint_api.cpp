#include "api/resource.h"
#include "features/action.h"
#include "features/webhooks/endpoint_delivery.h"
#include "features/webhooks/endpoint_store.h"
#include "features/webhooks/routes.h"
#include "features/webhooks/standard_webhooks.h"
#include "storage/record.h"

namespace guildhall {
namespace {

using api::Access, api::Call, http::Method, http::Reply, api::route;

struct QueuedWebhook {
  std::string message_id;  // identifies the message in the log of deliveries
};
BOOST_DESCRIBE_STRUCT(QueuedWebhook, (), (message_id))

struct TestPayload {
  WebhookEndpointId endpoint_id;
};
BOOST_DESCRIBE_STRUCT(TestPayload, (), (endpoint_id))

struct TestBody {
  std::string type{test_event};
  Instant timestamp;
  TestPayload data;
};
BOOST_DESCRIBE_STRUCT(TestBody, (), (type, timestamp, data))

WebhookEndpointId id_of(const Call& call) {
  return WebhookEndpointId(call.param(0));
}

WebhookEndpoint found(std::optional<WebhookEndpoint> endpoint) {
  if (!endpoint) throw not_found("Webhook endpoint");
  return std::move(*endpoint);
}

std::string sealed(const WebhookEndpoints& endpoints, const WebhookEndpoint& endpoint, const std::string& secret) {
  if (endpoints.secrets == nullptr) {
    throw unavailable("Secrets cannot be stored: the operator has not set SERVICE_MASTER_KEY.");
  }
  return endpoints.secrets->seal(secret, secret_context(endpoint.tenant_id, endpoint.id));
}

// A reply with a secret is made twice: without the secret for the idempotency record, and with it for the first caller.
Reply with_secret(int status, const WebhookEndpoint& endpoint, std::optional<std::string> secret) {
  WebhookEndpointWithSecret shown;
  static_cast<WebhookEndpoint&>(shown) = endpoint;
  shown.signing_secret = std::move(secret);
  return api::record_reply(status, shown);
}

Task<Reply> post_endpoint(Call& call, WebhookEndpoints& endpoints) {
  WebhookEndpoint endpoint;
  api::judged_body<NewWebhookEndpoint>(call, [&](const NewWebhookEndpoint& input) {
    endpoint = endpoint_from(input, call.tenant, endpoints.rules, call.now);
  });
  const std::string secret = make_webhook_secret();
  endpoint.secret.value = sealed(endpoints, endpoint, secret);
  const Reply stored = co_await api::write_once(call, endpoints.db, [&](Tx& tx) {
    if (tx.all(endpoints_after(call.tenant, {}, webhook_endpoints_max)).size() >= webhook_endpoints_max) {
      throw bad_request("TOO_MANY_ENDPOINTS", fmt::format("A tenant has at most {} endpoints.", webhook_endpoints_max));
    }
    insert_endpoint(tx, endpoint);
    action_of(call, tx).audit_created({"webhook-endpoint", endpoint.id.text()}, endpoint);
    return with_secret(201, endpoint, std::nullopt);
  });
  co_return api::is_replayed(stored) ? stored : with_secret(201, endpoint, secret);
}

Task<Reply> get_endpoint(Call& call, WebhookEndpoints& endpoints) {
  return api::find_one(endpoints.db, endpoint_by_id(call.tenant, id_of(call)), "Webhook endpoint");
}

Task<Reply> list_endpoints(Call& call, WebhookEndpoints& endpoints) {
  return api::list_page(call, endpoints.db, endpoints_after);
}

// Reads, edits, checks If-Match, writes.
WebhookEndpoint change(Tx& tx, const Call& call, FunctionRef<void(WebhookEndpoint&)> edit) {
  WebhookEndpoint endpoint = found(tx.one(endpoint_by_id(call.tenant, id_of(call))));
  const WebhookEndpoint before = endpoint;
  edit(endpoint);
  call.require_match(endpoint.version);
  if (!needs_write(before, endpoint)) return before;
  endpoint.updated_at = call.now;
  update_endpoint(tx, endpoint);
  action_of(call, tx).audit_change({"webhook-endpoint", endpoint.id.text()}, &before, &endpoint);
  return endpoint;
}

Task<Reply> patch_endpoint(Call& call, WebhookEndpoints& endpoints) {
  const auto changes = api::judged_body<WebhookEndpointPatch>(call, [&](const WebhookEndpointPatch& patch) {
    WebhookEndpoint any;  // the rules do not depend on the record
    apply(patch, any, endpoints.rules, call.now);
  });
  co_return co_await api::write_once(call, endpoints.db, [&](Tx& tx) {
    return api::record_reply(
        200, change(tx, call, [&](WebhookEndpoint& endpoint) { apply(changes, endpoint, endpoints.rules, call.now); }));
  });
}

Task<Reply> rotate_secret(Call& call, WebhookEndpoints& endpoints) {
  const std::string secret = make_webhook_secret();
  WebhookEndpoint changed;
  const Reply stored = co_await api::write_once(call, endpoints.db, [&](Tx& tx) {
    changed = change(tx, call, [&](WebhookEndpoint& endpoint) {
      replace_secret(endpoint, sealed(endpoints, endpoint, secret), call.now);
    });
    action_of(call, tx).audit({"webhook-endpoint", changed.id.text()}, "secret rotated");
    return with_secret(200, changed, std::nullopt);
  });
  co_return api::is_replayed(stored) ? stored : with_secret(200, changed, secret);
}

Task<Reply> erase_endpoint(Call& call, WebhookEndpoints& endpoints) {
  co_return co_await api::write_once(call, endpoints.db, [&](Tx& tx) {
    const WebhookEndpoint endpoint = found(tx.one(endpoint_by_id(call.tenant, id_of(call))));
    call.require_match(endpoint.version);
    delete_endpoint(tx, endpoint);
    action_of(call, tx).audit_deleted({"webhook-endpoint", endpoint.id.text()}, endpoint);
    return api::no_content();
  });
}

Task<Reply> send_test(Call& call, WebhookEndpoints& endpoints) {
  co_return co_await api::write_once(call, endpoints.db, [&](Tx& tx) {
    const WebhookEndpoint endpoint = found(tx.one(endpoint_by_id(call.tenant, id_of(call))));
    const std::string message_id = make_uuid(call.now);
    const TestBody body{.timestamp = call.now, .data = {endpoint.id}};
    queue_webhook(tx, endpoint, {message_id, std::string(test_event), {to_json(body)}}, call.now);
    return api::json_reply(202, QueuedWebhook{message_id});
  });
}

Task<Reply> list_deliveries(Call& call, WebhookEndpoints& endpoints) {
  call.query<api::ListQuery>();  // a wrong parameter is reported before an unknown endpoint
  found(co_await endpoints.db.one(endpoint_by_id(call.tenant, id_of(call))));
  co_return co_await api::list_page(
      call, endpoints.db, [id = id_of(call)](const TenantId& tenant, const Position& position, std::int64_t limit) {
        return deliveries_after(tenant, id, position, limit);
      });
}

Task<Reply> replay(Call& call, WebhookEndpoints& endpoints) {
  const WebhookDeliveryId id(call.param(1));
  co_return co_await api::write_once(call, endpoints.db, [&](Tx& tx) {
    const WebhookEndpoint endpoint = found(tx.one(endpoint_by_id(call.tenant, id_of(call))));
    const auto delivery = tx.one(delivery_by_id(call.tenant, endpoint.id, id));
    if (!delivery) throw not_found("Delivery");
    if (!endpoint.enabled) throw bad_request("ENDPOINT_DISABLED", "The endpoint is disabled: enable it first.");
    queue_webhook(tx, endpoint, {delivery->message_id, delivery->event, delivery->payload}, call.now);
    action_of(call, tx).audit({"webhook-endpoint", endpoint.id.text()}, "replayed");
    return api::json_reply(202, QueuedWebhook{delivery->message_id});
  });
}

struct EventNames {
  std::vector<std::string> events;
};
BOOST_DESCRIBE_STRUCT(EventNames, (), (events))

Reply list_event_names(Call&, WebhookEndpoints& endpoints) {
  return api::json_reply(200, EventNames{{endpoints.rules.event_names.begin(), endpoints.rules.event_names.end()}});
}

}  // namespace

api::OutgoingEvent test_webhook() {
  return {test_event, &Codec<TestPayload>::schema};
}

std::vector<api::Route> webhook_endpoint_routes(WebhookEndpoints& endpoints) {
  constexpr std::string_view all = "/api/admin/webhook-endpoints", one = "/api/admin/webhook-endpoints/:id";
  return {
      route(Method::post, all, Access::admin, "Have events sent to an endpoint", post_endpoint, endpoints)
          .takes<NewWebhookEndpoint>()
          .gives<WebhookEndpointWithSecret>(201, "The endpoint, with its signing secret, which is never shown again."),
      route(Method::get, all, Access::admin, "The endpoints", list_endpoints, endpoints)
          .takes_query<api::ListQuery>()
          .gives<api::Page<WebhookEndpoint>>(200, "Newest first."),
      route(Method::get, "/api/admin/webhook-event-names", Access::admin, "The events that an endpoint can receive",
            list_event_names, endpoints)
          .gives<EventNames>(200, "Their names."),
      route(Method::get, one, Access::admin, "One endpoint", get_endpoint, endpoints)
          .gives<WebhookEndpoint>(200, "It."),
      route(Method::patch, one, Access::admin, "Change an endpoint, or switch it on or off", patch_endpoint, endpoints)
          .takes<WebhookEndpointPatch>()
          .gives<WebhookEndpoint>(200, "The changed endpoint."),
      route(Method::del, one, Access::admin, "Remove an endpoint; what waits for it is dropped", erase_endpoint,
            endpoints)
          .gives(204, "Removed."),
      route(Method::post, "/api/admin/webhook-endpoints/:id/rotate-secret", Access::admin,
            "Make a new signing secret; the old one signs besides for a day", rotate_secret, endpoints)
          .gives<WebhookEndpointWithSecret>(200, "The endpoint, with its new secret, which is never shown again."),
      route(Method::post, "/api/admin/webhook-endpoints/:id/test", Access::admin, "Send a webhook.test, once",
            send_test, endpoints)
          .gives<QueuedWebhook>(202, "On its way; see the log of deliveries."),
      route(Method::get, "/api/admin/webhook-endpoints/:id/deliveries", Access::admin, "The log of deliveries",
            list_deliveries, endpoints)
          .takes_query<api::ListQuery>()
          .gives<api::Page<WebhookDelivery>>(200, "Every attempt, newest first."),
      route(Method::post, "/api/admin/webhook-endpoints/:id/deliveries/:deliveryId/replay", Access::admin,
            "Send a delivery again, with the same webhook-id", replay, endpoints)
          .gives<QueuedWebhook>(202, "On its way; see the log of deliveries."),
  };
}

}  // namespace guildhall
