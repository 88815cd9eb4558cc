#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/encoding.h"
#include "base/instant.h"
#include "support/eventually.h"
#include "support/http_receiver.h"
#include "support/push_browser.h"
#include "support/shop.h"
#include "support/test_server.h"

namespace guildhall {
namespace {

using test::CheckedClient, test::HttpReply, test::HttpReceiver, test::ReceivedRequest;

constexpr const char* push_alerts_path = "/api/admin/alerts";
constexpr const char* subscriptions_path = "/api/admin/alerts/subscriptions";
const std::string auth_secret = "sixteen bytes !!";

// A shop whose owner has a browser; the receiver is its push service.
class WebPushAlerts : public ::testing::TestWithParam<test::Engine> {
 protected:
  WebPushAlerts() {
    push_service.on("POST", "/*", test::ReceiverReply{.status = 201});
    EXPECT_EQ(owner.put(push_alerts_path, R"({"kinds":[{"kind":"NEW_ORDER","push":true}]})").status, 200);
  }

  std::string body(const std::string& path) const {
    return fmt::format(R"({{"endpoint":"{}","keys":{{"p256dh":"{}","auth":"{}"}}}})", push_service.url(path),
                       base64url(browser.public_bytes), base64url(auth_secret));
  }

  std::string subscribe(CheckedClient& person, const std::string& path) {
    const HttpReply reply = person.post(subscriptions_path, body(path));
    EXPECT_EQ(reply.status, 201) << reply.body;
    return reply.text("/id");
  }

  std::string order(const std::string& number) {
    return test::created(owner, "order", test::order_of(number, test::item("p", 2, 1245)));
  }

  std::size_t browsers(CheckedClient& person) { return person.get(push_alerts_path).size("/subscriptions"); }

  void await_empty_outbox() {
    EXPECT_TRUE(test::eventually([&] { return owner.get("/api/admin/outbox?status=PENDING").size("/items") == 0; }));
  }

  const outbound::P256Key browser = outbound::make_p256_key();
  HttpReceiver push_service;
  test::TestServer server{GetParam(), {{"SERVICE_ENV", "development"}, {"WEBHOOK_PRIVATE_TARGETS", "true"}}};
  CheckedClient owner = server.admin();
};
INSTANTIATE_TEST_SUITE_P(Pairs, WebPushAlerts, test::engines, test::engine_name);

TEST_P(WebPushAlerts, reach_each_browser_encrypted_and_signed) {
  subscribe(owner, "/phone");
  subscribe(owner, "/desktop");
  const std::string id = order("LG-7");
  ASSERT_TRUE(push_service.wait_for_requests(2));
  await_empty_outbox();
  EXPECT_EQ(push_service.requests("/phone").size(), 1u);
  const ReceivedRequest sent = push_service.requests("/desktop").at(0);
  EXPECT_EQ(sent.header("content-encoding"), "aes128gcm");
  EXPECT_EQ(sent.header("ttl"), "86400");
  const test::VapidHeader sender = test::checked_vapid(sent.header("authorization"));
  EXPECT_EQ(base64url(sender.public_bytes), owner.get(push_alerts_path).text("/pushKey"));
  EXPECT_NE(sender.claims.find(fmt::format(R"("aud":"{}")", push_service.url())), std::string::npos) << sender.claims;
  const std::string text = test::decrypted_push(sent.body, browser, auth_secret);
  EXPECT_NE(text.find(R"("title":"New order LG-7: $24.90")"), std::string::npos) << text;
  EXPECT_NE(text.find("/console/orders/" + id + "?tenant=default"), std::string::npos) << text;
}

TEST_P(WebPushAlerts, end_when_the_push_service_does_not_know_the_browser_any_more) {
  push_service.on("POST", "/gone", test::ReceiverReply{.status = 410});
  push_service.on("POST", "/unknown", test::ReceiverReply{.status = 404});
  subscribe(owner, "/gone");
  subscribe(owner, "/unknown");
  const std::string kept = subscribe(owner, "/kept");
  order("A-1");
  ASSERT_TRUE(push_service.wait_for_requests(3));
  await_empty_outbox();
  ASSERT_EQ(browsers(owner), 1u);
  EXPECT_EQ(owner.get(push_alerts_path).text("/subscriptions/0/id"), kept);
}

TEST_P(WebPushAlerts, go_to_the_person_who_subscribed_last_and_may_read_the_shop) {
  CheckedClient colleague = server.member("default", "data.read");
  const std::string shared = subscribe(owner, "/shared");
  EXPECT_EQ(subscribe(colleague, "/shared"), shared);
  EXPECT_EQ(browsers(owner), 0u) << "the browser is the colleague's now";
  EXPECT_EQ(owner.del(fmt::format("{}/{}", subscriptions_path, shared)).status, 404);
  order("A-1");
  await_empty_outbox();
  EXPECT_EQ(push_service.requests().size(), 0u) << "the colleague did not choose any alert";
  EXPECT_EQ(colleague.del(fmt::format("{}/{}", subscriptions_path, shared)).status, 204);
  EXPECT_EQ(browsers(colleague), 0u);
}

TEST_P(WebPushAlerts, have_at_most_ten_browsers) {
  const std::string first = subscribe(owner, "/0");
  const Instant subscribed = now();
  ASSERT_TRUE(test::eventually([&] { return now() > subscribed; })) << "of two in one millisecond neither is older";
  for (int i = 1; i <= 10; ++i) subscribe(owner, fmt::format("/{}", i));
  const HttpReply shown = owner.get(push_alerts_path);
  ASSERT_EQ(shown.size("/subscriptions"), 10u);
  for (std::size_t i = 0; i < 10; ++i) EXPECT_NE(shown.text(fmt::format("/subscriptions/{}/id", i)), first);
}

TEST_P(WebPushAlerts, refuse_wrong_keys_and_programs) {
  const HttpReply wrong =
      owner.post(subscriptions_path, R"({"endpoint":"ftp://x","keys":{"p256dh":"AAAA","auth":"AAAA"}})");
  EXPECT_EQ(wrong.wrong_fields(), (std::vector<std::string>{"endpoint", "keys.auth", "keys.p256dh"})) << wrong.body;
  const std::string token = owner.post("/api/admin/tokens", R"({"name":"p","keys":["data.read"]})").text("/token");
  EXPECT_EQ(server.client().post(subscriptions_path, body("/x"), {{"Authorization", "Bearer " + token}}).code(),
            "SESSION_REQUIRED");
}

TEST_P(WebPushAlerts, need_a_public_https_address_in_production) {
  test::TestServer production(GetParam(), {{"WEBHOOK_PRIVATE_TARGETS", "false"}});
  CheckedClient admin = production.admin();
  for (const char* endpoint : {"http://push.example.com/a", "https://127.0.0.1/a", "https://localhost/a"}) {
    const HttpReply reply =
        admin.post(subscriptions_path, fmt::format(R"({{"endpoint":"{}","keys":{{"p256dh":"{}","auth":"{}"}}}})",
                                                   endpoint, base64url(browser.public_bytes), base64url(auth_secret)));
    EXPECT_EQ(reply.wrong_fields(), std::vector<std::string>{"endpoint"}) << reply.body;
  }
}

TEST_P(WebPushAlerts, keep_their_key_when_the_server_starts_again) {
  const std::string key = owner.get(push_alerts_path).text("/pushKey");
  server.restart();
  EXPECT_EQ(server.admin().get(push_alerts_path).text("/pushKey"), key);
}

TEST(WebPushSender, is_identified_as_rfc_8292_says) {
  const outbound::P256Key key = outbound::make_p256_key();
  const std::string header = outbound::vapid_authorization(key, "https://push.example.net:8443/a?b",
                                                           "https://shop.example.com", Instant{1'700'000'000'000});
  const test::VapidHeader read = test::checked_vapid(header);
  EXPECT_EQ(read.public_bytes, key.public_bytes);
  EXPECT_EQ(read.claims,
            R"({"aud":"https://push.example.net:8443","exp":1700043200,"sub":"https://shop.example.com"})");
  std::string forged = header;
  forged[60] = forged[60] == 'a' ? 'b' : 'a';
  EXPECT_THROW(test::checked_vapid(forged), std::runtime_error);
}

}  // namespace
}  // namespace guildhall
