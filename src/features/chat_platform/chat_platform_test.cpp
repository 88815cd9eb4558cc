#include "sandbox/chat_platform.h"

#include <gtest/gtest.h>

#include "features/chat_platform/chat_client.h"
#include "features/chat_platform/chat_outbox.h"
#include "features/tenancy/guild_binding.h"
#include "storage/migrations.h"
#include "support/engines.h"
#include "support/test_sandbox.h"

namespace guildhall {
namespace {

using Kind = outbox::Verdict::Kind;
using sandbox::Fault, sandbox::FaultKind;

class ChatPlatform : public ::testing::TestWithParam<test::Engine> {
 protected:
  ChatPlatform() {
    migrate(*storage);
    sandbox.add_channel("7");
    sandbox.add_member("2");
  }

  ChatClient node(const std::string& token = test::sandbox_secrets().of("chat bot")) {
    return {sandbox.url("/chat"), token, storage.get()};
  }

  // The platform's guild belongs to the tenant.
  void own_guild() {
    storage->write_now([&](Tx& tx) { bind_guild(tx, tenant, "9", now()); });
  }

  std::size_t messages() {
    return sandbox.run([](sandbox::World& world) { return world.chat->guild.find_channel("7")->messages.size(); });
  }

  static Fault answered(const std::string& path, int status, const std::string& body) {
    return {.kind = FaultKind::answer, .path = path, .status = status, .body = body};
  }

  outbox::Delivery delivery() const {
    return {.tenant = tenant, .id = "1", .topic = "", .payload = R"({"channelId":"7","content":"Hi"})"};
  }

  const TenantId tenant{std::string("t")};
  test::FreshDatabase database{GetParam()};
  std::unique_ptr<Storage> storage = open_storage({.url = database.url});
  test::TestSandbox sandbox{"9"};
};
INSTANTIATE_TEST_SUITE_P(Engines, ChatPlatform, test::engines, test::engine_name);

TEST_P(ChatPlatform, is_not_called_by_any_node_while_a_rate_limit_applies) {
  sandbox.fail("chat", {.kind = FaultKind::answer,
                        .path = "/guilds/1/members/2",
                        .body = "{}",
                        .headers = {{"X-RateLimit-Remaining", "0"}, {"X-RateLimit-Reset-After", "30.5"}}});
  ChatClient one = node(), two = node();
  EXPECT_TRUE(one.send(read_member({"1", "2"})).ok());
  for (ChatClient* client : {&one, &two}) {
    const ChatReply held = client->send(read_member({"1", "2"}));
    EXPECT_EQ(held.status, 0);
    ASSERT_TRUE(held.wait);
    EXPECT_GT(*held.wait, std::chrono::seconds(20));
    EXPECT_TRUE(client->send(read_member({"9", "2"})).ok()) << "another bucket";
  }
  sandbox.answer("chat", "/users/@me/channels", 429, R"({"message":"slow down","retry_after":20.25,"global":true})");
  EXPECT_EQ(one.send(open_direct_channel("5")).wait, std::chrono::milliseconds(20'250));
  EXPECT_TRUE(two.send(read_member({"9", "2"})).wait) << "a global limit holds for all calls of all nodes";
  EXPECT_EQ(sandbox.arrived("chat"), 4);
  EXPECT_FALSE(test::header_of(sandbox.calls("chat").front(), "User-Agent").empty());
}

TEST_P(ChatPlatform, needs_a_bot_but_for_answers) {
  sandbox.run([](sandbox::World& world) {
    world.chat->begin("secret", {.type = 2, .member = "2", .channel = "7", .command = "", .data = ""});
    world.chat->apply_answer("secret", R"({"type":5})");
  });
  ChatClient client = node("");
  EXPECT_EQ(client.send(open_direct_channel("5")).message, "CHAT_BOT_TOKEN is not set.");
  EXPECT_TRUE(client.send(edit_answer({"app", "secret"}, R"({"content":"Hi"})")).ok());
  EXPECT_EQ(test::header_of(sandbox.calls("chat").front(), "Authorization"), "");
}

TEST_P(ChatPlatform, gets_a_channels_message_once_and_notifies_nobody) {
  own_guild();
  ChatClient client = node();
  const outbox::Delivery sent{
      .tenant = tenant, .id = make_uuid(now()), .topic = "", .payload = R"({"channelId":"7","content":"Hi"})"};
  EXPECT_EQ(send_chat_message(client, *storage, sent).kind, Kind::done);
  EXPECT_EQ(send_chat_message(client, *storage, sent).kind, Kind::done);
  const auto calls = sandbox.calls("chat", "/channels/7/messages");
  EXPECT_EQ(calls.size(), 2u);
  EXPECT_EQ(messages(), 1u) << "the same nonce, of which the platform makes one message";
  EXPECT_EQ(calls[0].request_body,
            fmt::format(R"({{"content":"Hi","allowed_mentions":{{"parse":[]}},"enforce_nonce":true,"nonce":"{}"}})",
                        nonce_of(sent.id)));
}

TEST_P(ChatPlatform, receives_a_shops_messages_only_for_its_own_servers) {
  ChatClient client = node();
  EXPECT_EQ(send_chat_message(client, *storage, delivery()).kind, Kind::dead);
  own_guild();
  EXPECT_EQ(send_chat_message(client, *storage, delivery()).kind, Kind::done);
  EXPECT_EQ(messages(), 1u);
}

TEST_P(ChatPlatform, gets_nothing_for_a_channel_whose_server_it_does_not_name) {
  own_guild();
  ChatClient client = node();
  const std::string path = "/channels/7";
  for (const Fault& fault :
       {answered(path, 500, ""), answered(path, 503, "busy"), Fault{.kind = FaultKind::dropped, .path = path},
        answered(path, 401, ""), answered(path, 403, R"({"code":50001,"message":"Missing Access"})"),
        answered(path, 404, R"({"code":10003,"message":"Unknown Channel"})"), Fault{.kind = FaultKind::rubbish},
        answered(path, 200, R"({"id":"7","type":1})"), answered(path, 429, R"({"message":"slow","retry_after":30})")}) {
    sandbox.fail("chat", fault);
    const outbox::Verdict verdict = send_chat_message(client, *storage, delivery());
    EXPECT_EQ(verdict.kind, Kind::retry) << fault.status << fault.body;
  }
  sandbox.recover("chat");
  EXPECT_EQ(send_chat_message(client, *storage, delivery()).kind, Kind::retry) << "the limit holds";
  EXPECT_EQ(messages(), 0u);
}

TEST_P(ChatPlatform, is_not_waited_for_longer_than_the_maximum) {
  struct Case {
    std::string body, retry_after;
    std::chrono::milliseconds wait;
  };
  using namespace std::chrono_literals;
  const std::string no_json = "<html>";
  int guild = 0;
  for (const Case& line :
       {Case{R"({"retry_after":1e300})", "", outbox::requested_wait_max},
        Case{R"({"retry_after":99999999999})", "", outbox::requested_wait_max}, Case{R"({"retry_after":-5})", "", 1s},
        Case{R"({"retry_after":"NaN"})", "", 1s}, Case{no_json, "inf", outbox::requested_wait_max},
        Case{no_json, "7", 7s}, Case{no_json, "Fri, 31 Dec 9999 23:59:59 GMT", outbox::requested_wait_max},
        Case{no_json, "Thu, 01 Jan 1970 00:00:00 GMT", 0s}, Case{no_json, "", 1s}}) {
    const std::string id = std::to_string(++guild);
    Fault fault = answered("", 429, line.body);
    if (!line.retry_after.empty()) fault.headers = {{"Retry-After", line.retry_after}};
    sandbox.fail("chat", fault);
    ChatClient client = node();
    EXPECT_EQ(client.send(read_member({id, "2"})).wait, line.wait) << id;
  }
}

TEST_P(ChatPlatform, is_called_again_after_temporary_errors) {
  own_guild();
  ChatClient client = node();
  const std::string path = "/channels/7/messages";
  const std::pair<Fault, Kind> lines[] = {
      {{.kind = FaultKind::error, .path = path}, Kind::retry},
      {answered(path, 401, ""), Kind::retry},
      {{.kind = FaultKind::dropped, .path = path}, Kind::retry},
      {answered(path, 403, R"({"code":50013,"message":"Missing"})"), Kind::dead},
      {answered(path, 404, R"({"code":10003,"message":"Unknown"})"), Kind::dead},
      {answered(path, 429, R"({"message":"slow","retry_after":0.01})"), Kind::retry}};
  for (const auto& [fault, kind] : lines) {
    sandbox.fail("chat", fault);
    const outbox::Verdict verdict = send_chat_message(client, *storage, delivery());
    EXPECT_EQ(verdict.kind, kind) << fault.status << ": " << verdict.reason;
  }
}

// The platform may not have taken our first answer yet when we edit it.
TEST_P(ChatPlatform, receives_an_edited_answer_while_the_token_is_valid) {
  ChatClient client = node();
  outbox::Delivery edit{.tenant = tenant,
                        .id = "1",
                        .topic = "",
                        .payload = R"({"applicationId":"app","token":"tok","message":{"content":"Paid"}})",
                        .created_at = now()};
  EXPECT_EQ(edit_chat_answer(client, edit).kind, Kind::retry);
  EXPECT_EQ(sandbox.calls("chat").front().request_body, R"({"content":"Paid"})");
  edit.created_at = now() - std::chrono::minutes(16);
  EXPECT_EQ(edit_chat_answer(client, edit).kind, Kind::dead);
}

TEST(ChatCall, keeps_every_id_one_part_of_the_path) {
  EXPECT_EQ(read_member({"1", "../2?x"}).path, "/guilds/1/members/..%2F2%3Fx");
  EXPECT_EQ(read_member({"..", "."}).path, "/guilds/-/members/-");
  EXPECT_EQ(add_role({"1", "2"}, "3").path, "/guilds/1/members/2/roles/3");
  EXPECT_EQ(remove_role({"1", "2"}, "3").method, "DELETE");
  EXPECT_EQ(edit_message("1", "2", "{}").path, "/channels/1/messages/2");
  EXPECT_EQ(answer_interaction("1", "tok", "{}").path, "/interactions/1/tok/callback");
  EXPECT_EQ(edit_answer({"app", "tok"}, "{}").path, "/webhooks/app/tok/messages/@original");
  EXPECT_EQ(follow_up({"app", "tok"}, "{}").path, "/webhooks/app/tok");
  EXPECT_EQ(publish_commands("app", "", "[]").path, "/applications/app/commands");
  EXPECT_EQ(publish_commands("app", "9", "[]").path, "/applications/app/guilds/9/commands");
  EXPECT_EQ(open_direct_channel("5").body, R"({"recipient_id":"5"})");
}

}  // namespace
}  // namespace guildhall
