#include <gtest/gtest.h>

#include "features/chat_platform/chat_client.h"
#include "features/chat_platform/chat_outbox.h"
#include "features/tenancy/guild_binding.h"
#include "storage/migrations.h"
#include "support/engines.h"
#include "support/stand_in.h"

namespace guildhall {
namespace {

using Kind = outbox::Verdict::Kind;
using test::StandInReply;

class ChatPlatform : public ::testing::TestWithParam<test::Engine> {
 protected:
  ChatPlatform() { migrate(*storage); }

  ChatClient node(const std::string& token = "token") { return {platform.url(), token, storage.get()}; }

  // Channel 7 is in a server of the tenant.
  void own_channel() {
    platform.on("GET", "/channels/7", StandInReply{.body = R"({"id":"7","guild_id":"9"})"});
    storage->write_now([&](Tx& tx) { bind_guild(tx, tenant, "9", now()); });
  }

  const TenantId tenant{std::string("t")};
  test::FreshDatabase database{GetParam()};
  std::unique_ptr<Storage> storage = open_storage({.url = database.url});
  test::StandIn platform;
};
INSTANTIATE_TEST_SUITE_P(Engines, ChatPlatform, test::engines, test::engine_name);

TEST_P(ChatPlatform, is_not_called_by_any_node_while_a_rate_limit_applies) {
  platform.on(
      "GET", "/guilds/1/members/2",
      StandInReply{.body = "{}", .headers = {{"X-RateLimit-Remaining", "0"}, {"X-RateLimit-Reset-After", "30.5"}}});
  platform.on("GET", "/guilds/2/members/2", StandInReply{.body = "{}", .headers = {{"X-RateLimit-Remaining", "3"}}});
  platform.on("POST", "/users/@me/channels",
              StandInReply{.status = 429, .body = R"({"message":"slow down","retry_after":20.25,"global":true})"});
  ChatClient one = node(), two = node();
  EXPECT_TRUE(one.send(read_member({"1", "2"})).ok());
  for (ChatClient* client : {&one, &two}) {
    const ChatReply held = client->send(read_member({"1", "2"}));
    EXPECT_EQ(held.status, 0);
    ASSERT_TRUE(held.wait);
    EXPECT_GT(*held.wait, std::chrono::seconds(20));
    EXPECT_TRUE(client->send(read_member({"2", "2"})).ok()) << "another bucket";
  }
  EXPECT_EQ(one.send(open_direct_channel("5")).wait, std::chrono::milliseconds(20'250));
  EXPECT_TRUE(two.send(read_member({"2", "2"})).wait) << "a global limit holds for all calls of all nodes";
  EXPECT_EQ(platform.requests().size(), 4u);
  EXPECT_EQ(platform.requests().front().header("authorization"), "Bot token");
  EXPECT_FALSE(platform.requests().front().header("user-agent").empty());
}

TEST_P(ChatPlatform, needs_a_bot_but_for_answers) {
  platform.on("PATCH", "/webhooks/app/secret/messages/@original", StandInReply{.body = "{}"});
  ChatClient client = node("");
  EXPECT_EQ(client.send(open_direct_channel("5")).message, "CHAT_BOT_TOKEN is not set.");
  EXPECT_TRUE(client.send(edit_answer({"app", "secret"}, "{}")).ok());
  EXPECT_EQ(platform.requests().front().header("authorization"), "");
}

TEST_P(ChatPlatform, gets_a_channels_message_once_and_notifies_nobody) {
  own_channel();
  platform.on("POST", "/channels/7/messages", StandInReply{.body = R"({"id":"1"})"});
  ChatClient client = node();
  const outbox::Delivery delivery{
      .tenant = tenant, .id = make_uuid(now()), .topic = "", .payload = R"({"channelId":"7","content":"Hi"})"};
  EXPECT_EQ(send_chat_message(client, *storage, delivery).kind, Kind::done);
  EXPECT_EQ(send_chat_message(client, *storage, delivery).kind, Kind::done);
  const auto sent = platform.requests("/channels/7/messages");
  EXPECT_EQ(sent[0].body, sent[1].body) << "the same nonce, of which the platform makes one message";
  EXPECT_EQ(sent[0].body,
            fmt::format(R"({{"content":"Hi","allowed_mentions":{{"parse":[]}},"enforce_nonce":true,"nonce":"{}"}})",
                        nonce_of(delivery.id)));
}

TEST_P(ChatPlatform, receives_a_shops_messages_only_for_its_own_servers) {
  platform.on("POST", "/channels/7/messages", StandInReply{.body = R"({"id":"1"})"});
  platform.on("GET", "/channels/7", StandInReply{.body = R"({"id":"7","guild_id":"9"})"});
  ChatClient client = node();
  const outbox::Delivery delivery{
      .tenant = tenant, .id = "1", .topic = "", .payload = R"({"channelId":"7","content":"Hi"})"};
  EXPECT_EQ(send_chat_message(client, *storage, delivery).kind, Kind::dead);
  storage->write_now([&](Tx& tx) { bind_guild(tx, tenant, "9", now()); });
  EXPECT_EQ(send_chat_message(client, *storage, delivery).kind, Kind::done);
  EXPECT_EQ(platform.requests("/channels/7/messages").size(), 1u);
}

TEST_P(ChatPlatform, gets_nothing_for_a_channel_whose_server_it_does_not_name) {
  platform.on("POST", "/channels/7/messages", StandInReply{.body = R"({"id":"1"})"});
  storage->write_now([&](Tx& tx) { bind_guild(tx, tenant, "9", now()); });
  ChatClient client = node();
  const outbox::Delivery delivery{
      .tenant = tenant, .id = "1", .topic = "", .payload = R"({"channelId":"7","content":"Hi"})"};
  for (const StandInReply& reply :
       {StandInReply{.status = 500}, StandInReply{.status = 503, .body = "busy"}, StandInReply{.hang_up = true},
        StandInReply{.status = 401},
        StandInReply{.status = 403, .body = R"({"code":50001,"message":"Missing Access"})"},
        StandInReply{.status = 404, .body = R"({"code":10003,"message":"Unknown Channel"})"},
        StandInReply{.body = "not json"}, StandInReply{.body = R"({"id":"7","type":1})"},
        StandInReply{.status = 429, .body = R"({"message":"slow","retry_after":30})"}}) {
    platform.on("GET", "/channels/7", reply);
    const outbox::Verdict verdict = send_chat_message(client, *storage, delivery);
    EXPECT_EQ(verdict.kind, Kind::retry) << reply.status << reply.body;
  }
  EXPECT_EQ(send_chat_message(client, *storage, delivery).kind, Kind::retry) << "the limit holds";
  EXPECT_TRUE(platform.requests("/channels/7/messages").empty());
}

TEST_P(ChatPlatform, is_not_waited_for_longer_than_the_maximum) {
  struct Case {
    StandInReply reply;
    std::chrono::milliseconds wait;
  };
  using namespace std::chrono_literals;
  const std::string no_body = "<html>";
  int guild = 0;
  for (const Case& line :
       {Case{{.status = 429, .body = R"({"retry_after":1e300})"}, outbox::requested_wait_max},
        Case{{.status = 429, .body = R"({"retry_after":99999999999})"}, outbox::requested_wait_max},
        Case{{.status = 429, .body = R"({"retry_after":-5})"}, 1s},
        Case{{.status = 429, .body = R"({"retry_after":"NaN"})"}, 1s},
        Case{{.status = 429, .body = no_body, .headers = {{"Retry-After", "inf"}}}, outbox::requested_wait_max},
        Case{{.status = 429, .body = no_body, .headers = {{"Retry-After", "7"}}}, 7s},
        Case{{.status = 429, .body = no_body, .headers = {{"Retry-After", "Fri, 31 Dec 9999 23:59:59 GMT"}}},
             outbox::requested_wait_max},
        Case{{.status = 429, .body = no_body, .headers = {{"Retry-After", "Thu, 01 Jan 1970 00:00:00 GMT"}}}, 0s},
        Case{{.status = 429, .body = no_body}, 1s}}) {
    const std::string id = std::to_string(++guild);
    platform.on("GET", "/guilds/" + id + "/members/2", line.reply);
    ChatClient client = node();
    EXPECT_EQ(client.send(read_member({id, "2"})).wait, line.wait) << id;
  }
}

TEST_P(ChatPlatform, is_called_again_after_temporary_errors) {
  struct Case {
    StandInReply reply;
    Kind kind;
  };
  own_channel();
  ChatClient client = node();
  const std::string limited = R"({"message":"slow","retry_after":0.01})";
  for (const Case& line :
       {Case{{.status = 500}, Kind::retry}, Case{{.status = 401}, Kind::retry}, Case{{.hang_up = true}, Kind::retry},
        Case{{.status = 403, .body = R"({"code":50013,"message":"Missing"})"}, Kind::dead},
        Case{{.status = 404, .body = R"({"code":10003,"message":"Unknown"})"}, Kind::dead},
        Case{{.status = 429, .body = limited}, Kind::retry}}) {
    platform.on("POST", "/channels/7/messages", line.reply);
    const outbox::Delivery delivery{
        .tenant = tenant, .id = "1", .topic = "", .payload = R"({"channelId":"7","content":"Hi"})"};
    const outbox::Verdict verdict = send_chat_message(client, *storage, delivery);
    EXPECT_EQ(verdict.kind, line.kind) << line.reply.status << ": " << verdict.reason;
  }
}

// The platform may not have taken our first answer yet when we edit it.
TEST_P(ChatPlatform, receives_an_edited_answer_while_the_token_is_valid) {
  platform.on("PATCH", "/webhooks/app/tok/messages/@original",
              StandInReply{.status = 404, .body = R"({"code":10015,"message":"Unknown Webhook"})"});
  ChatClient client = node();
  outbox::Delivery delivery{.tenant = tenant,
                            .id = "1",
                            .topic = "",
                            .payload = R"({"applicationId":"app","token":"tok","message":{"content":"Paid"}})",
                            .created_at = now()};
  EXPECT_EQ(edit_chat_answer(client, delivery).kind, Kind::retry);
  EXPECT_EQ(platform.requests().front().body, R"({"content":"Paid"})");
  delivery.created_at = now() - std::chrono::minutes(16);
  EXPECT_EQ(edit_chat_answer(client, delivery).kind, Kind::dead);
}

TEST(ChatCall, keeps_every_id_one_part_of_the_path) {
  EXPECT_EQ(read_member({"1", "../2?x"}).path, "/guilds/1/members/..%2F2%3Fx");
  EXPECT_EQ(read_member({"..", "."}).path, "/guilds/-/members/-");
  EXPECT_EQ(add_role({"1", "2"}, "3").path, "/guilds/1/members/2/roles/3");
  EXPECT_EQ(remove_role({"1", "2"}, "3").method, "DELETE");
  EXPECT_EQ(edit_message("1", "2", "{}").path, "/channels/1/messages/2");
  EXPECT_EQ(delete_message("1", "2").method, "DELETE");
  EXPECT_EQ(answer_interaction("1", "tok", "{}").path, "/interactions/1/tok/callback");
  EXPECT_EQ(delete_answer({"app", "tok"}).path, "/webhooks/app/tok/messages/@original");
  EXPECT_EQ(follow_up({"app", "tok"}, "{}").path, "/webhooks/app/tok");
  EXPECT_EQ(publish_commands("app", "", "[]").path, "/applications/app/commands");
  EXPECT_EQ(publish_commands("app", "9", "[]").path, "/applications/app/guilds/9/commands");
  EXPECT_EQ(open_direct_channel("5").body, R"({"recipient_id":"5"})");
}

}  // namespace
}  // namespace guildhall
