// How a chat server gets its shop: by a code, by the platform's page that adds the bot, and by /register.
#include <gtest/gtest.h>
#include <thread>

#include "features/tenancy/binding_code.h"
#include "storage/columns.h"
#include "support/chat_shop.h"

namespace guildhall {
namespace {

using test::ChatUser, test::component, test::HttpReply;

class ServerRegistration : public ::testing::TestWithParam<test::Engine> {
 protected:
  ServerRegistration() : shop(GetParam()) { shop.admin.del("/api/admin/guilds/9001"); }

  static std::string content(const HttpReply& reply) { return reply.text("/data/content"); }

  ChatUser manager(const std::string& id, const std::string& guild) {
    ChatUser user = shop.user(id);
    user.guild = guild;
    user.permissions = "32";
    return user;
  }
  static HttpReply made_code(test::HttpClient& admin) {
    HttpReply made = admin.post("/api/admin/chat/binding-code", "{}");
    EXPECT_EQ(made.status, 201) << made.body;
    return made;
  }
  static HttpReply enter(ChatUser& user, const std::string& code) {
    return user.command("register", fmt::format(R"({{"name":"code","type":3,"value":"{}"}})", code));
  }
  static std::string server_of(test::HttpClient& admin) {
    const HttpReply guilds = admin.get("/api/admin/guilds");
    return guilds.size("/items") == 0 ? "" : guilds.text("/items/0/guildId");
  }

  test::ChatShop shop;
};
INSTANTIATE_TEST_SUITE_P(Pairs, ServerRegistration, test::engines, test::engine_name);

TEST_P(ServerRegistration, with_a_code_connects_the_server_to_the_shop_that_made_it_once) {
  shop.admin.put("/api/admin/branding", R"({"name":"The Mug Guild"})");
  const HttpReply made = made_code(shop.admin);
  const std::string code = made.text("/code");
  EXPECT_TRUE(is_binding_code(code)) << code;
  EXPECT_NE(made.text("/url").find("state=" + code), std::string::npos) << made.body;

  ChatUser member = shop.user("5"), mira = manager("6", "777"), other = manager("6", "778");
  member.guild = "777";
  EXPECT_NE(content(enter(member, code)).find("manage"), std::string::npos);
  EXPECT_EQ(server_of(shop.admin), "");
  std::string typed = code;
  std::ranges::transform(typed, typed.begin(), [](unsigned char c) { return std::tolower(c); });
  EXPECT_NE(content(enter(mira, typed)).find("connected to The Mug Guild"), std::string::npos);
  EXPECT_EQ(server_of(shop.admin), "777");
  EXPECT_EQ(shop.admin.get("/api/data/tenant").size("/items"), 1u) << "no other shop was made";

  EXPECT_NE(content(enter(other, code)).find("used or has expired"), std::string::npos);
  EXPECT_EQ(shop.admin.get("/api/admin/guilds").size("/items"), 1u);
  EXPECT_NE(content(enter(mira, made_code(shop.admin).text("/code"))).find("connected"), std::string::npos)
      << "it is this shop's already";
}

TEST_P(ServerRegistration, takes_a_code_for_half_an_hour_only) {
  const std::string code = made_code(shop.admin).text("/code");
  shop.server.write([](Tx& tx) {
    static const Sql age("UPDATE chat_binding_codes SET expires_at = $1");
    tx.run({&age, params(now())});
  });
  ChatUser mira = manager("6", "777");
  EXPECT_NE(content(enter(mira, code)).find("used or has expired"), std::string::npos);
  EXPECT_EQ(server_of(shop.admin), "");
  const HttpReply made = made_code(shop.admin);
  EXPECT_NE(made.text("/expiresAt"), "");
}

TEST_P(ServerRegistration, takes_no_code_of_somebody_who_has_lost_a_permission) {
  auto former = shop.server.member("default", "TenantAdmin");
  const std::string code = made_code(former).text("/code");
  const std::string id = former.get("/auth/me").text("/session/user/userId");
  ASSERT_EQ(shop.admin.put("/api/admin/grants/" + id, R"({"keys":["data.read"]})").status, 200);
  ChatUser mira = manager("6", "777");
  EXPECT_NE(content(enter(mira, code)).find("used or has expired"), std::string::npos);
  EXPECT_EQ(server_of(shop.admin), "");
}

TEST_P(ServerRegistration, opens_few_shops_a_day_for_a_member_who_gives_them_up) {
  ChatUser mira = manager("6", "777");
  for (int opened = 0; opened < 10; ++opened) {
    ASSERT_EQ(mira.command("register").status, 200);
    const HttpReply shops = shop.admin.get("/api/data/tenant");
    ASSERT_EQ(shops.size("/items"), 2u) << shops.body;
    const std::string id = shops.text("/items/0/tenantId");
    ASSERT_EQ(shop.admin.del("/api/data/tenant/" + id).status, 204) << id;
  }
  EXPECT_NE(content(mira.command("register")).find("tomorrow"), std::string::npos);
  EXPECT_EQ(shop.admin.get("/api/data/tenant").size("/items"), 1u);
  ChatUser noor = manager("7", "777");
  noor.command("register");
  EXPECT_EQ(shop.admin.get("/api/data/tenant").size("/items"), 2u) << "others are not limited by it";
}

TEST_P(ServerRegistration, uses_a_code_once_however_many_servers_try_it_at_once) {
  const std::string code = made_code(shop.admin).text("/code");
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&, i] {
      ChatUser mira = manager(std::to_string(100 + i), std::to_string(7000 + i));
      EXPECT_EQ(enter(mira, code).status, 200);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(shop.admin.get("/api/admin/guilds").size("/items"), 1u);
}

TEST_P(ServerRegistration, never_connects_with_a_code_of_another_tenant) {
  shop.server.add_tenant("other");
  auto other = shop.server.admin("other");
  auto staff = shop.server.member("default", "TenantStaff");
  EXPECT_EQ(staff.post("/api/admin/chat/binding-code", "{}").status, 403);
  const std::string code = made_code(other).text("/code");
  ChatUser mira = manager("6", "777");
  EXPECT_NE(content(enter(mira, code)).find("connected to other"), std::string::npos);
  EXPECT_EQ(server_of(other), "777");
  EXPECT_EQ(server_of(shop.admin), "");
  EXPECT_NE(content(enter(mira, made_code(shop.admin).text("/code"))).find("belongs to another shop"),
            std::string::npos);
  EXPECT_EQ(server_of(other), "777");
}

TEST_P(ServerRegistration, through_the_page_that_adds_the_bot_needs_the_admin_who_asked_for_it) {
  const HttpReply made = made_code(shop.admin);
  const std::string callback = fmt::format("/auth/chat/callback?guild_id=4711&state={}&code=", made.text("/code"));
  const auto consent = [&] { return shop.sandbox.consent(made.text("/url"), "5&guild_id=9001"); };
  shop.server.add_tenant("other");
  auto other = shop.server.admin("other");
  auto staff = shop.server.member("default", "TenantStaff");
  auto visitor = shop.server.client();
  for (test::HttpClient* stranger : std::initializer_list<test::HttpClient*>{&other, &staff, &visitor}) {
    const HttpReply back = stranger->get(callback + consent());
    EXPECT_EQ(back.status, 302);
    EXPECT_EQ(back.header("location"), "/console/chat?server=expired");
  }
  EXPECT_EQ(shop.admin.get(callback + "made-up").header("location"), "/console/chat?server=failed");
  EXPECT_EQ(shop.admin.get("/auth/chat/callback?error=access_denied&state=" + made.text("/code")).header("location"),
            "/console/chat?server=declined");
  EXPECT_EQ(server_of(shop.admin), "");
  EXPECT_EQ(shop.admin.get(callback + consent()).header("location"), "/console/chat?server=connected");
  EXPECT_EQ(server_of(shop.admin), "9001") << "the platform decides which server it is, not the address";
  EXPECT_EQ(shop.admin.get(callback + "x").header("location"), "/console/chat?server=expired") << "it was used";
}

TEST_P(ServerRegistration, asks_somebody_who_has_a_shop_which_one_it_is) {
  ChatUser mira = manager("6", "777");
  EXPECT_NE(content(mira.command("register")).find("`guild-777`"), std::string::npos);
  mira.guild = "778";
  const HttpReply question = mira.command("register");
  EXPECT_NE(content(question).find("Which shop"), std::string::npos);
  EXPECT_EQ(question.size("/data/components/0/components/0/options"), 2u);
  const std::string select = component(question, "which-shop");
  ChatUser grace = manager("5", "778");
  EXPECT_NE(content(grace.choose(select, "guild-777")).find("/register"), std::string::npos) << "another member's";
  EXPECT_NE(content(mira.choose(select, "default")).find("not administer"), std::string::npos) << "not her shop";
  EXPECT_NE(content(mira.choose(select, "guild-777")).find("connected to User 6's shop"), std::string::npos);
  auto admin = shop.server.admin("guild-777");
  EXPECT_EQ(admin.get("/api/admin/guilds").size("/items"), 2u);

  mira.guild = "779";
  EXPECT_NE(content(mira.choose(component(mira.command("register"), "which-shop"), "+")).find("`guild-779`"),
            std::string::npos)
      << "she may open another one";
}

TEST_P(ServerRegistration, gives_up_an_empty_shop_that_was_made_by_mistake_in_one_click) {
  ChatUser mira = manager("6", "777"), grace = manager("5", "777");
  mira.command("register");
  const std::string code = made_code(shop.admin).text("/code");
  EXPECT_NE(content(enter(grace, code)).find("belongs to another shop"), std::string::npos);
  const HttpReply offer = enter(mira, code);
  EXPECT_NE(content(offer).find("give up the empty shop"), std::string::npos);
  const std::string button = component(offer, "move-server");
  EXPECT_EQ(content(grace.press(button)).find("connected"), std::string::npos);
  EXPECT_NE(content(mira.press(button)).find("connected to default"), std::string::npos);
  EXPECT_EQ(server_of(shop.admin), "777");
  EXPECT_EQ(shop.admin.get("/api/data/tenant").size("/items"), 1u);
}

TEST_P(ServerRegistration, gives_up_empty_shops_only_and_for_their_admins_only) {
  ChatUser mira = manager("6", "777");
  mira.command("register");
  auto admin = shop.server.admin("guild-777");
  auto staff = shop.server.member("guild-777", "admin.access");
  const std::string path = "/api/admin/give-up";
  EXPECT_EQ(staff.post(path, "{}").status, 403);
  EXPECT_EQ(shop.admin.post(path, "{}").code(), "DEFAULT_TENANT");
  const std::string product =
      admin.post("/api/data/product", R"({"name":"Mug","sku":"MUG","priceCents":5})").text("/id");
  EXPECT_EQ(admin.post(path, "{}").code(), "SHOP_NOT_EMPTY");
  ASSERT_EQ(admin.del("/api/data/product/" + product).status, 204);
  EXPECT_EQ(admin.post(path, R"({"code":"AAAA-BBBB-CCCC-DDDD"})").code(), "BINDING_CODE_INVALID");
  EXPECT_EQ(admin.post(path, fmt::format(R"({{"code":"{}"}})", made_code(admin).text("/code"))).code(),
            "BINDING_CODE_INVALID")
      << "its own code";
  const HttpReply given = admin.post(path, fmt::format(R"({{"code":"{}"}})", made_code(shop.admin).text("/code")));
  ASSERT_EQ(given.status, 200) << given.body;
  EXPECT_EQ(given.text("/tenantId"), "default");
  EXPECT_EQ(given.integer("/servers"), 1);
  EXPECT_EQ(server_of(shop.admin), "777");
  EXPECT_NE(staff.get("/api/admin/guilds").status, 200) << "nobody works there any more";
}

}  // namespace
}  // namespace guildhall
