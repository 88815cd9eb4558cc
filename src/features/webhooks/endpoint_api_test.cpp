#include <fmt/format.h>

#include "base/secret_box.h"
#include "features/identity/tenant_actions.h"
#include "features/orders/order.h"
#include "features/webhooks/endpoint_delivery.h"
#include "features/webhooks/endpoint_store.h"
#include "features/webhooks/standard_webhooks.h"
#include "outbox/events.h"
#include "storage/columns.h"
#include "support/eventually.h"
#include "support/http_receiver.h"
#include "support/test_clock.h"
#include "support/test_server.h"

namespace guildhall {
namespace {

using namespace std::chrono_literals;
using test::CheckedClient, test::HttpReply, test::HttpReceiver, test::ReceiverReply, test::ReceivedRequest;

const std::string all = "/api/admin/webhook-endpoints";
const std::map<std::string, std::string> development{{"SERVICE_ENV", "development"},
                                                     {"WEBHOOK_PRIVATE_TARGETS", "true"}};

const Sql alerts_sql("SELECT count(*) FROM audit_entries WHERE subject = 'webhook-endpoint' AND action = 'disabled'");
const Sql kept_replies_sql("SELECT body FROM idempotency_records");

class Endpoints : public ::testing::TestWithParam<test::Engine> {
 protected:
  Endpoints() { receiver.on("POST", "*", ReceiverReply{.status = 204}); }

  // The id of a new endpoint of the client's tenant at that path of the receiver.
  std::string endpoint(CheckedClient& client, const std::string& path, const std::string& more = "") {
    const HttpReply made = client.post(all, fmt::format(R"({{"url":"{}"{}}})", receiver.url(path), more));
    EXPECT_EQ(made.status, 201) << made.body;
    secret = made.text("/signingSecret");
    return made.text("/id");
  }

  template <DomainEvent E>
  void emit(const E& event, const std::string& tenant = "default") {
    server.write([&](Tx& tx) {
      Events events;
      events.set_publisher(endpoint_publisher());
      ActionContext{tx, events, TenantId(tenant), {}, now()}.emit(event);
    });
  }

  // The endpoint's log once it has so many entries.
  HttpReply deliveries(const std::string& id, std::size_t count) {
    HttpReply log;
    EXPECT_TRUE(test::eventually([&] {
      log = admin.get(all + "/" + id + "/deliveries");
      return log.size("/items") >= count;
    })) << log.body;
    return log;
  }

  test::TestServer server{GetParam(), development};
  CheckedClient admin = server.admin();
  const Order order = [] {
    Order made;
    made.id = OrderId(std::string("o1"));
    return made;
  }();
  std::string secret;
  HttpReceiver receiver;  // goes first, so that deliveries that hang end
};
INSTANTIATE_TEST_SUITE_P(Pairs, Endpoints, test::engines, test::engine_name);

TEST_P(Endpoints, are_managed) {
  const HttpReply made =
      admin.post(all, R"({"url":"https://example.com/hook","description":"mine","events":["order.paid"]})");
  ASSERT_EQ(made.status, 201) << made.body;
  EXPECT_TRUE(made.text("/signingSecret").starts_with("whsec_"));
  EXPECT_TRUE(made.boolean("/enabled"));
  const std::string path = all + "/" + made.text("/id");
  const HttpReply read = admin.get(path);
  EXPECT_EQ(read.text("/description"), "mine");
  EXPECT_FALSE(read.has("/signingSecret"));
  EXPECT_FALSE(read.has("/secret"));
  const HttpReply changed = admin.patch(path, R"({"events":[],"description":null,"enabled":false})");
  ASSERT_EQ(changed.status, 200) << changed.body;
  EXPECT_EQ(changed.size("/events"), 0u);
  EXPECT_FALSE(changed.is_null("/disabledAt"));
  EXPECT_EQ(admin.patch(path, "{}", {{"If-Match", read.header("etag")}}).status, 412);
  EXPECT_EQ(admin.get(all).size("/items"), 1u);
  EXPECT_EQ(admin.del(path).status, 204);
  EXPECT_EQ(admin.get(path).status, 404);
  EXPECT_EQ(admin.post(all, R"({"url":"ftp://x"})").wrong_fields(), std::vector<std::string>{"url"});
  EXPECT_EQ(admin.post(all, R"({"url":"https://e.com","events":["nope"]})").wrong_fields(),
            std::vector<std::string>{"events[0]"});
}

TEST_P(Endpoints, are_for_admins_of_the_tenant_alone) {
  const std::string path = all + "/" + endpoint(admin, "/hook");
  CheckedClient staff = server.member("default", "TenantStaff");
  EXPECT_EQ(staff.get(path).status, 403);
  server.add_tenant("other");
  CheckedClient elsewhere = server.member("other", "TenantAdmin");
  EXPECT_EQ(elsewhere.get(path).status, 404);
  EXPECT_EQ(elsewhere.patch(path, "{}").status, 404);
  EXPECT_EQ(elsewhere.del(path).status, 404);
  EXPECT_EQ(elsewhere.get(path + "/deliveries").status, 404);
  EXPECT_EQ(elsewhere.post(path + "/test", "").status, 404);
  EXPECT_EQ(elsewhere.post(path + "/rotate-secret", "").status, 404);
  EXPECT_EQ(elsewhere.get(all).size("/items"), 0u);
}

TEST_P(Endpoints, are_bounded_in_number) {
  for (std::size_t i = 0; i < webhook_endpoints_max; ++i) {
    ASSERT_EQ(admin.post(all, R"({"url":"https://example.com"})").status, 201);
  }
  EXPECT_EQ(admin.post(all, R"({"url":"https://example.com"})").code(), "TOO_MANY_ENDPOINTS");
}

TEST_P(Endpoints, receive_the_events_they_subscribe_to_signed_and_once) {
  const std::string paid_only = endpoint(admin, "/paid", R"(,"events":["order.paid"])");
  const std::string paid_secret = secret;
  endpoint(admin, "/all");
  server.add_tenant("other");
  CheckedClient elsewhere = server.member("other", "TenantAdmin");
  endpoint(elsewhere, "/elsewhere");
  const std::string off = all + "/" + endpoint(admin, "/off");
  ASSERT_EQ(admin.patch(off, R"({"enabled":false})").status, 200);
  emit(TenantDeleted{Tenant()});  // an event without a payload, which stays in the process
  emit(OrderCreated{order});
  Order paid;
  paid.id = OrderId(std::string("Zoë"));
  emit(OrderPaid{paid});
  ASSERT_TRUE(receiver.wait_for_requests(2, "/all"));
  ASSERT_TRUE(receiver.wait_for_requests(1, "/paid"));
  deliveries(paid_only, 1);
  EXPECT_EQ(receiver.requests("/elsewhere").size(), 0u);
  EXPECT_EQ(receiver.requests("/off").size(), 0u);
  EXPECT_EQ(receiver.requests("/all").size(), 2u);
  const auto requests = receiver.requests("/paid");
  ASSERT_EQ(requests.size(), 1u);
  const ReceivedRequest& got = requests[0];
  const std::string id = got.header("webhook-id");
  const Instant at{std::stoll(got.header("webhook-timestamp")) * 1000};
  EXPECT_EQ(got.header("webhook-signature"), webhook_signature(id, at, got.body, std::vector{paid_secret}));
  EXPECT_EQ(got.header("content-type"), "application/json");
  EXPECT_NE(got.body.find(R"("type":"order.paid")"), std::string::npos);
  EXPECT_NE(got.body.find(R"("data":{"orderId":"Zoë",)"), std::string::npos);
  EXPECT_NE(got.body.find(R"("data":)" + to_json(payload_of(paid)) + "}"), std::string::npos);
  for (const ReceivedRequest& other : receiver.requests("/all")) {
    if (other.body == got.body) EXPECT_EQ(other.header("webhook-id"), id);
  }
}

TEST_P(Endpoints, receive_the_event_of_a_real_order) {
  endpoint(admin, "/hook");
  const HttpReply order = admin.post(
      "/api/data/order",
      R"({"orderNumber":"A-1","customer":{"name":"Ada"},"items":[{"productId":"p","name":"Mug","sku":"M","quantity":1,"unitPriceCents":500}]})");
  ASSERT_EQ(order.status, 201) << order.body;
  ASSERT_TRUE(receiver.wait_for_requests(1, "/hook"));
  const std::string body = receiver.requests("/hook")[0].body;
  EXPECT_NE(body.find(R"("type":"order.created")"), std::string::npos) << body;
  EXPECT_NE(body.find(order.text("/id")), std::string::npos) << body;
}

TEST_P(Endpoints, show_their_deliveries_and_replay_them_with_the_same_id) {
  const std::string id = endpoint(admin, "/hook");
  emit(OrderPaid{order});
  const HttpReply log = deliveries(id, 1);
  EXPECT_EQ(log.text("/items/0/outcome"), "SUCCEEDED");
  EXPECT_EQ(log.integer("/items/0/statusCode"), 204);
  EXPECT_EQ(log.text("/items/0/event"), "order.paid");
  EXPECT_EQ(log.text("/items/0/payload/data/orderId"), "o1");
  const std::string replay = all + "/" + id + "/deliveries/" + log.text("/items/0/id") + "/replay";
  const HttpReply queued = admin.post(replay, "");
  EXPECT_EQ(queued.status, 202);
  ASSERT_TRUE(receiver.wait_for_requests(2, "/hook"));
  const auto requests = receiver.requests("/hook");
  EXPECT_EQ(requests[0].header("webhook-id"), requests[1].header("webhook-id"));
  EXPECT_EQ(requests[0].header("webhook-id"), queued.text("/messageId"));
  EXPECT_EQ(requests[0].body, requests[1].body);
  EXPECT_EQ(admin.post(all + "/" + id + "/deliveries/nothing/replay", "").status, 404);
  admin.patch(all + "/" + id, R"({"enabled":false})");
  EXPECT_EQ(admin.post(replay, "").code(), "ENDPOINT_DISABLED");
}

TEST_P(Endpoints, can_be_tested_even_while_disabled) {
  const std::string id = endpoint(admin, "/hook", R"(,"enabled":false)");
  EXPECT_EQ(admin.post(all + "/" + id + "/test", "").status, 202);
  ASSERT_TRUE(receiver.wait_for_requests(1, "/hook"));
  EXPECT_NE(receiver.requests("/hook")[0].body.find(R"("type":"webhook.test")"), std::string::npos);
  receiver.on("POST", "/hook", ReceiverReply{.status = 500});
  EXPECT_EQ(admin.post(all + "/" + id + "/test", "").status, 202);
  EXPECT_EQ(deliveries(id, 2).text("/items/0/outcome"), "FAILED");
  EXPECT_TRUE(admin.get(all + "/" + id).is_null("/failingSince"));
}

TEST_P(Endpoints, change_their_secret_without_losing_a_delivery) {
  const std::string id = endpoint(admin, "/hook");
  const std::string old_secret = secret;
  const HttpReply rotated = admin.post(all + "/" + id + "/rotate-secret", "");
  ASSERT_EQ(rotated.status, 200) << rotated.body;
  const std::vector<std::string> both{rotated.text("/signingSecret"), old_secret};
  EXPECT_NE(both[0], both[1]);
  emit(OrderPaid{order});
  ASSERT_TRUE(receiver.wait_for_requests(1, "/hook"));
  const ReceivedRequest got = receiver.requests("/hook")[0];
  const Instant at{std::stoll(got.header("webhook-timestamp")) * 1000};
  EXPECT_EQ(got.header("webhook-signature"), webhook_signature(got.header("webhook-id"), at, got.body, both));
}

TEST_P(Endpoints, show_their_secret_once_and_keep_it_nowhere_in_plain) {
  const test::HttpHeaders key{{"Idempotency-Key", "k"}};
  const std::string body = R"({"url":"https://example.com"})";
  const HttpReply first = admin.post(all, body, key), second = admin.post(all, body, key);
  EXPECT_FALSE(first.is_null("/signingSecret"));
  EXPECT_EQ(second.text("/id"), first.text("/id"));
  EXPECT_TRUE(second.is_null("/signingSecret"));
  server.write([&](Tx& tx) {
    const auto stored = tx.one(endpoint_by_id(TenantId(std::string("default")), WebhookEndpointId(first.text("/id"))));
    EXPECT_EQ(stored->secret.value.find(first.text("/signingSecret").substr(6)), std::string::npos);
    tx.run({&kept_replies_sql, {}},
           [&](const Row& row) { EXPECT_EQ(row.text(0).find("whsec_"), std::string_view::npos); });
  });
}

struct BadReceiver {
  std::string name;
  ReceiverReply reply;
  std::string error;
};

TEST_P(Endpoints, that_do_not_take_a_delivery_are_tried_again_later) {
  const std::vector<BadReceiver> receivers{
      {"/refusing", {.status = 500}, "the endpoint answered 500"},
      {"/redirecting",
       {.status = 302, .headers = {{"Location", receiver.url("/elsewhere")}}},
       "the endpoint answered 302"},
      {"/endless", {.raw = "HTTP/1.1 200 OK\r\n\r\n" + std::string(1 << 20, 'x')}, "the reply is too large"},
      {"/hanging-up", {.hang_up = true}, ""},
      {"/garbled", {.raw = "SSH-2.0-nonsense\r\n"}, ""},
  };
  std::map<std::string, std::string> ids;
  for (const BadReceiver& bad : receivers) {
    receiver.on("POST", bad.name, bad.reply);
    ids[bad.name] = endpoint(admin, bad.name);
  }
  emit(OrderPaid{order});
  for (const BadReceiver& bad : receivers) {
    const HttpReply log = deliveries(ids[bad.name], 1);
    EXPECT_EQ(log.text("/items/0/outcome"), "FAILED") << bad.name;
    if (!bad.error.empty()) EXPECT_EQ(log.text("/items/0/error"), bad.error);
    EXPECT_FALSE(admin.get(all + "/" + ids[bad.name]).is_null("/failingSince"));
    EXPECT_TRUE(admin.get(all + "/" + ids[bad.name]).boolean("/enabled"));
  }
  EXPECT_EQ(receiver.requests("/elsewhere").size(), 0u);
  const HttpReply waiting = admin.get("/api/admin/outbox?status=PENDING");
  ASSERT_EQ(waiting.size("/items"), receivers.size()) << waiting.body;
  EXPECT_EQ(waiting.integer("/items/0/attempts"), 1);
  EXPECT_FALSE(waiting.is_null("/items/0/lastError"));
}

TEST_P(Endpoints, that_send_retry_after_are_retried_after_that_time) {
  receiver.on("POST", "/hook", ReceiverReply{.status = 503, .headers = {{"Retry-After", "3600"}}});
  const std::string id = endpoint(admin, "/hook");
  emit(OrderPaid{order});
  deliveries(id, 1);
  const HttpReply waiting = admin.get("/api/admin/outbox?status=PENDING");
  ASSERT_EQ(waiting.size("/items"), 1u);
  EXPECT_GT(parse_instant(waiting.text("/items/0/dueAt")).value(), now() + 50min);
}

TEST_P(Endpoints, receive_waiting_messages_at_once_when_an_admin_asks_for_it) {
  receiver.on("POST", "/hook", ReceiverReply{.status = 500});
  const std::string id = endpoint(admin, "/hook");
  emit(OrderPaid{order});
  deliveries(id, 1);
  const HttpReply waiting = admin.get("/api/admin/outbox?status=PENDING");
  ASSERT_EQ(waiting.size("/items"), 1u);
  const std::string retry = "/api/admin/outbox/" + waiting.text("/items/0/id") + "/retry";
  server.add_tenant("other");
  EXPECT_EQ(server.member("other", "TenantAdmin").post(retry, "").status, 404);
  EXPECT_EQ(server.member("default", "TenantStaff").post(retry, "").status, 403);
  receiver.on("POST", "/hook", ReceiverReply{.status = 200});
  EXPECT_EQ(admin.post(retry, "").status, 200);
  const HttpReply log = deliveries(id, 2);
  EXPECT_EQ(log.text("/items/0/outcome"), "SUCCEEDED");
  EXPECT_EQ(log.text("/items/0/messageId"), log.text("/items/1/messageId"));
  EXPECT_TRUE(admin.get(all + "/" + id).is_null("/failingSince"));
  EXPECT_EQ(admin.post(retry, "").code(), "MESSAGE_DONE");
  EXPECT_EQ(admin.post("/api/admin/outbox/nothing/retry", "").status, 404);
}

TEST_P(Endpoints, that_are_slow_delay_no_other_tenant) {
  receiver.on("POST", "/slow", ReceiverReply{.delay = 60s});
  endpoint(admin, "/slow");
  server.add_tenant("other");
  CheckedClient elsewhere = server.member("other", "TenantAdmin");
  endpoint(elsewhere, "/quick");
  for (int i = 0; i < 30; ++i) emit(OrderPaid{order});
  ASSERT_TRUE(receiver.wait_for_requests(1, "/slow"));
  for (int i = 0; i < 10; ++i) emit(OrderPaid{order}, "other");
  ASSERT_TRUE(receiver.wait_for_requests(10, "/quick"));
  // All of the other's arrived while the first of the slow one's still waited for an answer.
  EXPECT_LE(receiver.requests("/slow").size(), 2u);
}

TEST_P(Endpoints, that_fail_for_days_are_switched_off_with_an_alert) {
  receiver.on("POST", "/hook", ReceiverReply{.status = 500});
  const std::string id = endpoint(admin, "/hook");
  test::TestClock clock;
  emit(OrderPaid{order});
  deliveries(id, 1);
  clock.advance(endpoint_failing_max - 1h);
  admin.cookies = server.admin().cookies;  // the session in the memory cache has expired
  deliveries(id, 2);
  EXPECT_TRUE(admin.get(all + "/" + id).boolean("/enabled"));
  clock.advance(2h);
  deliveries(id, 3);
  const HttpReply off = admin.get(all + "/" + id);
  EXPECT_FALSE(off.boolean("/enabled"));
  EXPECT_NE(off.text("/disabledReason").find("500"), std::string::npos);
  std::int64_t alerts = 0;
  server.write([&](Tx& tx) { tx.run({&alerts_sql, {}}, [&](const Row& row) { alerts = row.integer(0); }); });
  EXPECT_EQ(alerts, 1);
  const HttpReply on = admin.patch(all + "/" + id, R"({"enabled":true})");
  EXPECT_TRUE(on.is_null("/disabledReason"));
  EXPECT_TRUE(admin.get(all + "/" + id).is_null("/failingSince"));
}

// In production nothing private is called, even where a name or a record leads there.
TEST(ProductionEndpoints, are_never_private_addresses) {
  test::TestServer server(test::Engine::sqlite);
  HttpReceiver inside;
  inside.on("POST", "*", ReceiverReply{});
  CheckedClient admin = server.admin();
  EXPECT_EQ(admin.post(all, fmt::format(R"({{"url":"{}"}})", inside.url("/x"))).wrong_fields(),
            std::vector<std::string>{"url"});
  const TenantId tenant(std::string("default"));
  const SecretBox box(server.config.service_master_keys);
  WebhookEndpoint endpoint = endpoint_from({.url = {fmt::format("http://localhost:{}/x", inside.port())},
                                            .description = {},
                                            .events = {},
                                            .enabled = {true}},
                                           tenant, {.targets = TargetRule::any}, now());
  endpoint.secret.value = box.seal(make_webhook_secret(), secret_context(tenant, endpoint.id));
  server.write([&](Tx& tx) { insert_endpoint(tx, endpoint); });
  const std::string path = all + "/" + endpoint.id.text();
  ASSERT_EQ(admin.post(path + "/test", "").status, 202);
  HttpReply log;
  ASSERT_TRUE(test::eventually([&] {
    log = admin.get(path + "/deliveries");
    return log.size("/items") > 0;
  }));
  EXPECT_EQ(log.text("/items/0/outcome"), "FAILED");
  EXPECT_TRUE(log.is_null("/items/0/statusCode"));
  EXPECT_EQ(inside.requests().size(), 0u);
}

}  // namespace
}  // namespace guildhall
