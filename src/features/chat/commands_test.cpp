// The fund, donations and notices, over HTTP.
#include <gtest/gtest.h>

#include "base/json_lookup.h"
#include "features/chat/command_list.h"
#include "features/identity/grants.h"
#include "features/identity/permissions.h"
#include "sandbox/chat_platform.h"
#include "support/chat_shop.h"
#include "support/eventually.h"

namespace guildhall {
namespace {

using sandbox::Fault, sandbox::FaultKind;
using test::ChatUser, test::component, test::eventually, test::HttpReply;

class ChatCommands : public ::testing::TestWithParam<test::Engine> {
 protected:
  static std::string option(const std::string& name, const std::string& json_value) {
    return fmt::format(R"({{"name":"{}","type":3,"value":{}}})", name, json_value);
  }
  static std::string content(const HttpReply& reply) { return reply.text("/data/content"); }

  void make_admin(ChatUser& user) {
    user.command("register");
    const HttpReply customers = shop.admin.get("/api/data/customer");
    for (std::size_t i = 0; i < customers.size(); ++i) {
      if (customers.text(fmt::format("/{}/chatId", i)) != user.id) continue;
      const std::string id = customers.text(fmt::format("/{}/userId", i));
      ASSERT_EQ(
          shop.admin.put("/api/admin/grants/" + id, fmt::format(R"({{"userId":"{}","keys":["TenantAdmin"]}})", id))
              .status,
          200);
    }
  }

  std::vector<sandbox::Call> sent_to(const std::string& channel) {
    return shop.sandbox.calls("chat", fmt::format("/channels/{}/messages", channel));
  }

  test::ChatShop shop{GetParam()};
  ChatUser ada = shop.user("5");
};
INSTANTIATE_TEST_SUITE_P(Pairs, ChatCommands, test::engines, test::engine_name);

TEST_P(ChatCommands, help_lists_all_commands) {
  const HttpReply help = ada.command("help");
  EXPECT_EQ(help.size("/data/embeds/0/fields"), chat::commands().size());
  for (const chat::Command& command : chat::commands()) {
    EXPECT_NE(help.body.find(fmt::format("/{}", command.name)), std::string::npos);
  }
}

TEST_P(ChatCommands, donations_reach_the_fund_when_they_are_paid) {
  EXPECT_NE(content(ada.command("donate", option("amount", "\"5\""))), "") << "the fund is not enabled";
  EXPECT_EQ(content(ada.command("fund")).empty(), false);
  shop.open_fund(R"(,"celebrationChannelId":"88")");
  shop.sandbox.add_channel("88");

  const HttpReply pay = ada.command("donate", option("amount", "\"7.50\""));
  EXPECT_EQ(pay.text("/data/embeds/0/fields/0/value"), "$7.50");
  ada.choose(component(pay, "pay"), "CASH");
  const std::string order = shop.admin.get("/api/data/order").text("/items/0/id");
  shop.admin.patch("/api/data/order/" + order, R"({"status":"PAID"})");
  EXPECT_EQ(shop.admin.get("/api/admin/community-fund/balance").integer("/currentBalanceCents"), 750);
  EXPECT_EQ(ada.command("fund").text("/data/embeds/0/fields/0/value"), "$7.50");
  ASSERT_TRUE(eventually([&] { return !sent_to("88").empty(); })) << "and are celebrated";
  const std::string celebrated = sent_to("88").front().request_body;
  EXPECT_NE(celebrated.find("User 5"), std::string::npos);
  EXPECT_NE(celebrated.find(R"("allowed_mentions":{"parse":[]})"), std::string::npos);
  EXPECT_NE(celebrated.find(R"("enforce_nonce":true)"), std::string::npos);
}

TEST_P(ChatCommands, donations_can_be_chosen_and_anonymous) {
  shop.open_fund();
  const HttpReply amounts = ada.command("donate", option("anonymous", "true"));
  EXPECT_EQ(amounts.text("/data/components/0/components/0/options/0/label"), "$5.00");
  EXPECT_NE(content(ada.choose(component(amounts, "give"), "501")).find("no longer offered"), std::string::npos);
  const HttpReply pay = ada.choose(component(amounts, "give"), "1000");
  EXPECT_EQ(pay.text("/data/embeds/0/fields/1/value"), "Anonymous");
  ada.choose(component(pay, "pay"), "CASH");
  const HttpReply order = shop.admin.get("/api/data/order");
  EXPECT_TRUE(order.boolean("/items/0/anonymousContribution"));
  EXPECT_EQ(order.text("/items/0/items/0/productId"), "community-fund");
  EXPECT_EQ(order.integer("/items/0/totalCents"), 1000);
}

TEST_P(ChatCommands, donations_are_exactly_the_amount_that_was_typed) {
  shop.open_fund(R"(,"customAmountMinCents":100,"customAmountMaxCents":10000,"anonymityAllowed":false)");
  for (const std::string wrong : {"\"five\"", "\"5.\"", "\"5.555\"", "\"-5\"", "\"5,50\"", "\"0.5\"", "\"1000\"",
                                  "\"1e2\"", "\"99999999999999999999\"", "5.125"}) {
    const HttpReply reply = ada.command("donate", option("amount", wrong));
    EXPECT_EQ(reply.status, 200);
    EXPECT_EQ(reply.size("/data/components"), 0u) << wrong;
    EXPECT_NE(content(reply), "") << wrong;
  }
  for (const std::string good : {"\"5\"", "\"5.5\"", "\"5.50\"", "5", "5.5"}) {
    EXPECT_EQ(ada.command("donate", option("amount", good)).size("/data/components"), 1u) << good;
  }
  const HttpReply hidden = ada.command("donate", option("amount", "\"5\"") + "," + option("anonymous", "true"));
  EXPECT_EQ(hidden.size("/data/components"), 0u) << "anonymity is not allowed here";
}

TEST_P(ChatCommands, notices_are_for_admins) {
  EXPECT_NE(content(ada.command("notify", option("message", "\"Hi\""))).find("administrators"), std::string::npos);
  EXPECT_EQ(shop.sandbox.arrived("chat"), 0);
}

TEST_P(ChatCommands, notices_go_to_a_channel_or_a_member_and_notify_nobody) {
  make_admin(ada);
  const std::string message = option("message", R"("Hi @everyone, <@6> & <#7>\n\u00fc")");
  EXPECT_EQ(content(ada.command("notify", message)), "Sent to <#77>.") << "the present channel";
  EXPECT_EQ(content(ada.command("notify", message + "," + option("channel", "\"78\""))), "Sent to <#78>.");
  EXPECT_EQ(content(ada.command("notify", message + "," + option("user", "\"6\""))), "Sent to <@6>.");
  const std::string direct =
      shop.sandbox.run([](sandbox::World& world) { return world.chat->guild.direct_channel("6").id; });
  for (const std::string& channel : {std::string("77"), std::string("78"), direct}) {
    const auto sent = sent_to(channel);
    ASSERT_EQ(sent.size(), 1u) << channel;
    EXPECT_EQ(sent[0].status, 200);
    const auto body = JsonLookup::parse(sent[0].request_body);
    EXPECT_EQ(body->text("/content"), "Hi @everyone, <@6> & <#7>\n\u00fc") << "as written";
    EXPECT_NE(sent[0].request_body.find(R"("allowed_mentions":{"parse":[]})"), std::string::npos)
        << "and nobody is notified";
  }
  EXPECT_NE(shop.admin.get("/api/admin/audit?limit=200").body.find("notified"), std::string::npos);
}

TEST_P(ChatCommands, notices_do_not_leave_the_server) {
  make_admin(ada);
  for (const std::string who :
       {R"({"name":"user","type":6,"value":"6"})", R"({"name":"channel","type":7,"value":"6"})"}) {
    const HttpReply reply = ada.interact(
        2, fmt::format(R"({{"name":"notify","options":[{},{}],"resolved":{{"users":{{"6":{{}}}},"members":{{}}}}}})",
                       option("message", "\"Hi\""), who));
    EXPECT_NE(content(reply).find("no such member or channel"), std::string::npos) << reply.body;
  }
  EXPECT_EQ(shop.sandbox.arrived("chat"), 0);
}

TEST_P(ChatCommands, notices_go_only_to_channels_that_the_platform_names_as_the_shops) {
  make_admin(ada);
  const std::string there = option("message", "\"Hi\"") + "," + option("channel", "\"78\"");
  const auto answered = [](int status, const std::string& body) {
    return Fault{.kind = FaultKind::answer, .path = "/channels/78", .status = status, .body = body};
  };
  for (const Fault& fault : {Fault{.kind = FaultKind::error}, answered(404, "{}"), Fault{.kind = FaultKind::dropped},
                             answered(200, R"({"id":"78"})"), answered(200, R"({"id":"78","guild_id":"31337"})"),
                             answered(429, R"({"message":"slow","retry_after":0.01})")}) {
    shop.sandbox.fail("chat", fault);
    EXPECT_TRUE(content(ada.command("notify", there)).starts_with("Not sent")) << fault.status << fault.body;
  }
  shop.sandbox.answer("chat", "/channels/77", 200, R"({"id":"77","type":1})");
  ada.guild = "";
  EXPECT_TRUE(content(ada.command("notify", option("message", "\"Hi\""))).starts_with("Not sent"))
      << "a direct message's channel is in no server";
  EXPECT_TRUE(sent_to("78").empty());
  EXPECT_TRUE(sent_to("77").empty());
}

TEST_P(ChatCommands, notices_are_refused_when_they_are_longer_than_the_platform_allows) {
  make_admin(ada);
  const auto of_length = [&](std::size_t characters) {
    return content(ada.command("notify", option("message", "\"" + std::string(characters, 'x') + "\"")));
  };
  EXPECT_EQ(of_length(2000), "Sent to <#77>.");
  EXPECT_NE(of_length(2001).find("at most 2000"), std::string::npos);
  EXPECT_EQ(sent_to("77").size(), 1u);
}

TEST_P(ChatCommands, notices_that_do_not_arrive_say_why) {
  make_admin(ada);
  const std::string to_member = option("message", "\"Hi\"") + "," + option("user", "\"6\"");
  const auto answered = [](int status, const std::string& body) {
    return Fault{.kind = FaultKind::answer, .path = "/channels/*/messages", .status = status, .body = body};
  };
  const std::pair<Fault, std::string_view> lines[] = {
      {answered(403, R"({"code":50007,"message":"Cannot send messages to this user"})"),
       "does not accept direct messages"},
      {answered(403, R"({"code":50013,"message":"Missing Permissions"})"), "Missing Permissions"},
      {answered(500, "oops"), "500"},
      {{.kind = FaultKind::dropped, .path = "/channels/*/messages"}, "did not answer"},
      {answered(429, R"({"message":"slow","retry_after":4.2})"), "wait 5 seconds"}};
  for (const auto& [fault, said] : lines) {
    shop.sandbox.fail("chat", fault);
    EXPECT_NE(content(ada.command("notify", to_member)).find(said), std::string::npos) << said;
  }
  EXPECT_NE(content(ada.command("notify", option("message", "\" \""))).find("empty"), std::string::npos);
}

TEST_P(ChatCommands, notices_to_a_slow_platform_are_confirmed_later) {
  make_admin(ada);
  shop.sandbox.fail("chat", FaultKind::held, "/channels/77/messages");
  EXPECT_EQ(ada.command("notify", option("message", "\"Hi\"")).integer("/type"), 5);
  shop.sandbox.recover("chat");
  ASSERT_TRUE(eventually([&] { return !shop.edits().empty(); }));
  EXPECT_NE(shop.edits().front().request_body.find("Sent to <#77>."), std::string::npos);
  EXPECT_EQ(shop.edits().size(), 1u);
  const HttpReply waiting = shop.admin.get("/api/admin/outbox?status=PENDING");
  EXPECT_LE(waiting.size("/items"), 1u) << "the message for the case of a crash is withdrawn";
}

TEST(ChatCommandList, is_encoded_as_the_platform_requires) {
  const std::string json = chat::commands_json();
  simdjson::dom::parser parser;
  const simdjson::dom::array list = parser.parse(json).get_array();
  EXPECT_EQ(list.size(), chat::commands().size());
  for (const auto command : list) {
    EXPECT_TRUE(std::string_view(command["name"]).size() <= 32);
    EXPECT_TRUE(std::string_view(command["description"]).size() <= 100);
    bool optional_seen = false;
    for (const auto option : command["options"].get_array()) {
      EXPECT_FALSE(optional_seen && bool(option["required"])) << "required options come first";
      optional_seen = optional_seen || !bool(option["required"]);
    }
  }
}

}  // namespace
}  // namespace guildhall
