// The state of the connection to the chat platform, and the trial of the bot.
#include "sandbox/chat_platform.h"
#include "support/chat_shop.h"

namespace guildhall {
namespace {

using test::HttpReply;

class ChatSetup : public ::testing::TestWithParam<test::Engine> {
 protected:
  HttpReply act(int type, const std::string& data, const std::string& key = "") {
    const test::HttpHeaders headers = key.empty() ? test::HttpHeaders{} : test::HttpHeaders{{"Idempotency-Key", key}};
    HttpReply reply =
        shop.admin.post("/api/admin/chat/simulation", fmt::format(R"({{"type":{},"data":{}}})", type, data), headers);
    EXPECT_EQ(reply.status, 200) << reply.body;
    return reply;
  }

  test::ChatShop shop{GetParam(), {{"PUBLIC_BASE_URL", std::string(test::TestSandbox::server)}}};
};
INSTANTIATE_TEST_SUITE_P(Pairs, ChatSetup, test::engines, test::engine_name);

TEST_P(ChatSetup, shows_the_addresses_to_enter_and_no_secret) {
  const HttpReply setup = shop.admin.get("/api/admin/chat");
  EXPECT_TRUE(setup.boolean("/verified"));
  EXPECT_TRUE(setup.boolean("/bot"));
  EXPECT_EQ(setup.text("/interactionsUrl"), "https://shop.test/api/chat/interactions");
  EXPECT_EQ(setup.text("/redirectUrl"), "https://shop.test/auth/chat/callback");
  EXPECT_NE(setup.text("/inviteUrl").find("client_id=" + test::sandbox_secrets().chat_application()),
            std::string::npos);
  EXPECT_EQ(setup.body.find(shop.sandbox.secret("chat bot")), std::string::npos);
}

TEST_P(ChatSetup, test_compares_the_platform_with_this_installation) {
  shop.sandbox.run([](sandbox::World& world) { world.chat->commands = R"([{"name":"shop"}])"; });
  HttpReply tried = shop.admin.post("/api/admin/chat/test", "");
  EXPECT_EQ(tried.size("/checks"), 5U) << tried.body;
  EXPECT_FALSE(tried.boolean("/ok")) << "only one command is registered";
  for (int i = 0; i < 4; ++i) EXPECT_TRUE(tried.boolean(fmt::format("/checks/{}/ok", i))) << tried.body;
  EXPECT_NE(tried.text("/checks/4/message").find("/donate"), std::string::npos);

  EXPECT_EQ(shop.admin.post("/api/admin/chat/commands", "").status, 200);
  EXPECT_TRUE(shop.admin.post("/api/admin/chat/test", "").boolean("/ok"));
  shop.sandbox.answer("chat", "/applications/*/commands", 403, "{}");
  EXPECT_EQ(shop.admin.post("/api/admin/chat/commands", "").status, 503);
  EXPECT_EQ(shop.server.member("default", "TenantAdmin").post("/api/admin/chat/commands", "").status, 403)
      << "the commands are those of all tenants";

  shop.sandbox.answer("chat", "/applications/@me", 401, "{}");
  tried = shop.admin.post("/api/admin/chat/test", "");
  EXPECT_EQ(tried.text("/checks/0/message"), "The platform refuses the bot token.");
  EXPECT_EQ(tried.body.find(shop.sandbox.secret("chat bot")), std::string::npos);
}

TEST_P(ChatSetup, trial_buys_a_product_in_the_admins_own_shop_and_calls_nobody) {
  shop.product("Mug");
  const HttpReply list = act(2, R"({"name":"shop"})");
  const std::string pick = test::component(list, "pick");
  const std::string product = list.text("/data/components/0/components/0/options/0/value");
  const HttpReply card = act(3, fmt::format(R"({{"custom_id":"{}","values":["{}"]}})", pick, product));
  const HttpReply form = act(3, fmt::format(R"({{"custom_id":"{}"}})", test::component(card, "buy")));
  ASSERT_EQ(form.integer("/type"), 9) << form.body;
  const HttpReply methods = act(5, fmt::format(R"({{"custom_id":"{}","components":[{{"type":1,"components":[)"
                                               R"({{"type":4,"custom_id":"quantity","value":"2"}}]}}]}})",
                                               form.text("/data/custom_id")));
  const std::string pay = methods.text("/data/components/0/components/0/custom_id");
  ASSERT_FALSE(pay.empty()) << methods.body;
  const std::string choice = fmt::format(R"({{"custom_id":"{}","values":["CASH"]}})", pay);
  const HttpReply ordered = act(3, choice, "one-key");
  EXPECT_NE(ordered.body.find("Pay at the bar."), std::string::npos) << ordered.body;
  const HttpReply again = act(3, choice, "one-key");
  EXPECT_EQ(again.body, ordered.body);
  EXPECT_EQ(shop.orders(), 1);
  EXPECT_EQ(shop.sandbox.arrived("chat") + shop.sandbox.arrived("gateway"), 0);

  shop.server.add_tenant("other");
  auto other = shop.server.member("other", "TenantAdmin");
  const HttpReply empty = other.post("/api/admin/chat/simulation", R"({"type":2,"data":{"name":"shop"}})");
  EXPECT_EQ(empty.body.find("Mug"), std::string::npos) << "another tenant's shop is not shown";
  EXPECT_EQ(other.post("/api/admin/chat/simulation", R"({"type":4,"data":{}})").status, 400);
  EXPECT_EQ(other.post("/api/admin/chat/simulation", R"({"type":2,"data":{"name":"nothing"}})").status, 400);
}

TEST_P(ChatSetup, trial_with_a_malformed_key_is_not_carried_out) {
  const HttpReply refused = shop.admin.post("/api/admin/chat/simulation", R"({"type":2,"data":{"name":"help"}})",
                                            {{"Idempotency-Key", "two words"}});
  EXPECT_EQ(refused.wrong_fields(), std::vector<std::string>{"Idempotency-Key"});
  EXPECT_EQ(shop.admin.get("/api/data/webhook-event").size("/items"), 0U);
}

TEST_P(ChatSetup, trial_customer_has_no_permission) {
  const HttpReply refused = act(2, R"({"name":"notify","options":[{"name":"message","value":"hello"}]})");
  EXPECT_EQ(shop.sandbox.arrived("chat"), 0) << refused.body;
  EXPECT_EQ(shop.server.member("default", "data.read", "data.write")
                .post("/api/admin/chat/simulation", R"({"type":2,"data":{"name":"shop"}})")
                .status,
            403);
}

}  // namespace
}  // namespace guildhall
