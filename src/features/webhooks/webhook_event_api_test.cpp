#include <fmt/format.h>

#include "features/webhooks/webhook_event_store.h"
#include "support/test_server.h"

namespace guildhall {
namespace {

using test::CheckedClient, test::HttpReply;

const std::string all_events = "/api/data/webhook-event";
const std::string wallet_event =
    R"({"provider":"WALLET","eventId":"WH-1","payload":{"a":[1,null,"x"],"weight":136.0}})";

class WebhookEvents : public test::OnEachPair {
 protected:
  std::string provider_event(const std::string& id, WebhookStatus status, const std::string& payload) {
    WebhookEvent event = manual_event_from({.provider = chat_webhooks, .event_id = {id}, .payload = {payload}},
                                           TenantId(std::string("default")), now());
    event.source = WebhookSource::PROVIDER;
    event.status = status;
    server.write([&](Tx& tx) { insert_webhook_event(tx, event); });
    return all_events + "/" + event.id.text();
  }

  CheckedClient admin = server.admin();
};
INSTANTIATE_TEST_SUITE_P(Pairs, WebhookEvents, test::engines, [](const auto& info) { return test::engine_name(info); });

TEST_P(WebhookEvents, are_recorded_by_hand_and_read_again) {
  const HttpReply made = admin.post(all_events, wallet_event);
  ASSERT_EQ(made.status, 201) << made.body;
  EXPECT_EQ(made.text("/status"), "IGNORED");
  EXPECT_EQ(made.text("/source"), "MANUAL");
  EXPECT_EQ(made.text("/tenantId"), "default");
  EXPECT_EQ(made.integer("/attempts"), 0);
  EXPECT_TRUE(made.is_null("/processedAt"));
  EXPECT_NE(made.body.find(R"("payload":{"a":[1,null,"x"],"weight":136.0})"), std::string::npos);
  const HttpReply read = admin.get(all_events + "/" + made.text("/id"));
  EXPECT_EQ(read.body, made.body);
  EXPECT_FALSE(read.header("etag").empty());
}

TEST_P(WebhookEvents, recorded_by_hand_do_not_block_the_providers_event_of_the_same_id) {
  ASSERT_EQ(admin.post(all_events, wallet_event).status, 201);
  const HttpReply again = admin.post(all_events, wallet_event);
  EXPECT_EQ(again.status, 400);
  EXPECT_EQ(again.code(), "EVENT_EXISTS");
  EXPECT_EQ(admin.post(all_events, R"({"provider":"APPPAY","eventId":"WH-1","payload":1})").status, 201);
  provider_event("same", WebhookStatus::PROCESSED, "{}");
  EXPECT_EQ(admin.post(all_events, R"({"provider":"CHAT","eventId":"same","payload":"text"})").status, 201);
}

TEST_P(WebhookEvents, are_listed_newest_first) {
  std::vector<std::string> ids;
  for (int i = 0; i < 5; ++i) {
    ids.push_back(admin.post(all_events, fmt::format(R"({{"provider":"BILLING","eventId":"e{}","payload":{{}}}})", i))
                      .text("/id"));
  }
  const HttpReply first = admin.get(all_events + "?limit=3");
  ASSERT_EQ(first.size("/items"), 3u);
  EXPECT_EQ(first.text("/items/0/id"), ids[4]);
  const HttpReply second = admin.get(all_events + "?limit=3&cursor=" + first.text("/nextCursor"));
  ASSERT_EQ(second.size("/items"), 2u);
  EXPECT_EQ(second.text("/items/1/id"), ids[0]);
  EXPECT_TRUE(second.is_null("/nextCursor"));
}

TEST_P(WebhookEvents, of_any_size_are_listed_in_replies_of_a_bounded_size) {
  constexpr int events = 20;
  const std::string large(250'000, 'x');
  for (int i = 0; i < events; ++i) provider_event(fmt::format("e{}", i), WebhookStatus::IGNORED, '"' + large + '"');
  std::vector<std::string> listed;
  std::string cursor;
  do {
    const HttpReply page = admin.get(all_events + "?limit=200" + (cursor.empty() ? "" : "&cursor=" + cursor));
    EXPECT_LT(page.body.size(), 4'500'000u);
    for (std::size_t i = 0; i < page.size("/items"); ++i) {
      listed.push_back(page.text(fmt::format("/items/{}/eventId", i)));
    }
    cursor = page.is_null("/nextCursor") ? "" : page.text("/nextCursor");
  } while (!cursor.empty());
  ASSERT_EQ(listed.size(), events);
  for (int i = 0; i < events; ++i) EXPECT_EQ(listed[i], fmt::format("e{}", events - 1 - i));
}

TEST_P(WebhookEvents, cannot_be_changed_but_queued_again) {
  const std::string manual = all_events + "/" + admin.post(all_events, wallet_event).text("/id");
  EXPECT_EQ(admin.patch(manual, R"({"status":"RECEIVED"})").code(), "EVENT_NOT_REPEATABLE");
  EXPECT_EQ(admin.patch(manual, R"({"payload":{}})").wrong_fields(), std::vector<std::string>{"status"});
  const std::string chat = provider_event("e1", WebhookStatus::FAILED, "{}");
  EXPECT_EQ(admin.patch(chat, R"({"status":"PROCESSED"})").wrong_fields(), std::vector<std::string>{"status"});
  EXPECT_EQ(admin.patch(chat, R"({"status":"DONE"})").wrong_fields(), std::vector<std::string>{"status"});
  EXPECT_EQ(admin.patch(chat, R"({"status":"RECEIVED"})").code(), "EVENT_NOT_REPEATABLE");  // nobody applies these
  EXPECT_EQ(admin.get(chat).text("/status"), "FAILED");
  EXPECT_EQ(admin.patch(all_events + "/nothing", R"({"status":"RECEIVED"})").status, 404);
}

TEST_P(WebhookEvents, lose_their_payload_and_keep_their_key_when_deleted) {
  const std::string path = all_events + "/" + admin.post(all_events, wallet_event).text("/id");
  EXPECT_EQ(admin.del(path, {{"If-Match", "\"9\""}}).status, 412);
  EXPECT_EQ(admin.del(path).status, 204);
  const HttpReply erased = admin.get(path);
  EXPECT_EQ(erased.status, 200);
  EXPECT_TRUE(erased.is_null("/payload"));
  EXPECT_EQ(admin.del(path).status, 204);
  EXPECT_EQ(admin.post(all_events, wallet_event).code(), "EVENT_EXISTS");
  const std::string provided = provider_event("e2", WebhookStatus::FAILED, "{}");
  EXPECT_EQ(admin.del(provided).status, 204);
  EXPECT_EQ(admin.patch(provided, R"({"status":"RECEIVED"})").code(), "EVENT_NOT_REPEATABLE");
}

TEST_P(WebhookEvents, are_for_admins_of_the_tenant_alone) {
  const std::string path = all_events + "/" + admin.post(all_events, wallet_event).text("/id");
  EXPECT_EQ(server.client().get(path).status, 401);
  CheckedClient staff = server.member("default", "TenantStaff");
  EXPECT_EQ(staff.get(path).status, 403);
  EXPECT_EQ(staff.post(all_events, wallet_event).status, 403);
  server.add_tenant("other");
  CheckedClient elsewhere = server.member("other", "TenantAdmin");
  EXPECT_EQ(elsewhere.get(path).status, 404);
  EXPECT_EQ(elsewhere.del(path).status, 404);
  EXPECT_EQ(elsewhere.get(all_events).size("/items"), 0u);
  EXPECT_EQ(elsewhere.post(all_events, wallet_event).status, 201);
}

TEST_P(WebhookEvents, name_every_wrong_field) {
  EXPECT_EQ(admin.post(all_events, "{}").wrong_fields(), (std::vector<std::string>{"eventId", "payload", "provider"}));
  EXPECT_EQ(
      admin.post(all_events, R"({"provider":"STRIPE","eventId":" ","payload":null,"receivedAt":"now"})").wrong_fields(),
      (std::vector<std::string>{"eventId", "payload", "provider", "receivedAt"}));
}

TEST_P(WebhookEvents, take_an_idempotency_key) {
  const test::HttpHeaders key{{"Idempotency-Key", "k"}};
  const HttpReply first = admin.post(all_events, wallet_event, key), second = admin.post(all_events, wallet_event, key);
  EXPECT_EQ(second.status, 201);
  EXPECT_EQ(second.body, first.body);
}

}  // namespace
}  // namespace guildhall
