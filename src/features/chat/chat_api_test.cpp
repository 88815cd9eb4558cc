// The interactions route: signatures, limits, admission, and that each interaction is carried out once.
#include <gtest/gtest.h>
#include <thread>

#include "base/encoding.h"
#include "features/chat/routes.h"
#include "support/chat_shop.h"
#include "support/eventually.h"
#include "support/run_task.h"

namespace guildhall {
namespace {

using test::ChatUser, test::component, test::HttpHeaders, test::HttpReply;

constexpr std::string_view ping = R"({"type":1})";

std::string content(const HttpReply& reply) {
  return reply.text("/data/content");
}

class ChatInteractions : public ::testing::TestWithParam<test::Engine> {
 protected:
  HttpReply post(const std::string& body, HttpHeaders headers, const std::string& path = "/chat/interactions") {
    headers.emplace_back("X-Forwarded-For", address);
    return test::HttpClient(shop.server.port()).send("POST", path, body, headers);
  }
  static std::string seconds(std::int64_t off = 0) { return std::to_string(now().ms / 1000 + off); }

  ChatUser user(const std::string& id) {
    ChatUser user = shop.user(id);
    user.address = address;
    return user;
  }

  // Redis counts on from test to test, so each comes from an address of its own.
  const std::string address = fmt::format("2001:db8:{:x}:{:x}::1", now().ms & 0xffff, now().ms >> 16 & 0xffff);
  test::ChatShop shop{GetParam(), {{"RATE_LIMIT_DISABLED", "false"}, {"TRUSTED_PROXIES", "127.0.0.1"}}};
};
INSTANTIATE_TEST_SUITE_P(Pairs, ChatInteractions, test::engines, test::engine_name);

TEST_P(ChatInteractions, can_be_pings_at_both_addresses) {
  for (const std::string path : {"/chat/interactions", "/api/chat/interactions"}) {
    const HttpReply reply = post(std::string(ping), test::signed_headers(std::string(ping), seconds()), path);
    EXPECT_EQ(reply.status, 200);
    EXPECT_EQ(reply.body, ping);
  }
}

TEST_P(ChatInteractions, are_accepted_only_with_a_signature) {
  const std::string body(ping);
  const auto with = [&](std::size_t index, const std::string& value) {
    HttpHeaders headers = test::signed_headers(body, seconds());
    headers[index].second = value;
    return headers;
  };
  const std::string good = test::signed_headers(body, seconds())[1].second;
  std::string upper = good, flipped = good;
  for (char& c : upper) c = static_cast<char>(std::toupper(c));
  flipped[0] = flipped[0] == '0' ? '1' : '0';
  struct Case {
    HttpHeaders headers;
    int status;
    std::string_view what;
  };
  for (const Case& line :
       {Case{test::signed_headers(body, seconds()), 200, "good"}, Case{with(1, upper), 200, "in upper case"},
        Case{test::signed_headers(body, seconds(-290)), 200, "a little late"}, Case{{}, 401, "no headers"},
        Case{with(1, ""), 401, "an empty signature"}, Case{with(1, flipped), 401, "one digit changed"},
        Case{with(1, good.substr(2)), 401, "too short"}, Case{with(1, good + "00"), 401, "too long"},
        Case{with(1, std::string(128, 'z')), 401, "not hex"}, Case{with(2, ""), 401, "no timestamp"},
        Case{with(2, seconds(1)), 401, "another timestamp"},
        Case{test::signed_headers(body, "soon"), 401, "a timestamp that is none"},
        Case{test::signed_headers(body, seconds(-310)), 401, "stale"},
        Case{test::signed_headers(body, seconds(310)), 401, "from the future"},
        Case{test::signed_headers(R"({"type": 1})", seconds()), 401, "another body"}}) {
    EXPECT_EQ(post(body, line.headers).status, line.status) << line.what;
  }
}

TEST_P(ChatInteractions, with_bad_signatures_are_limited_while_the_platform_is_still_answered) {
  const std::string body = R"({"type":1,"user":{"id":")";
  int last = 0;
  for (int i = 0; i < 31; ++i) {
    const std::string tried = body + std::to_string(i) + "\"}}";
    last = post(tried, {{"X-Signature-Ed25519", "00"}, {"X-Signature-Timestamp", seconds()}}).status;
    EXPECT_EQ(last, i < 30 ? 401 : 429) << i;
  }
  EXPECT_EQ(post(std::string(ping), test::signed_headers(std::string(ping), seconds())).status, 200);
}

TEST_P(ChatInteractions, are_limited_for_each_member) {
  ChatUser ada = user("1"), bob = user("2");
  for (int i = 0; i < 30; ++i) ASSERT_EQ(ada.command("help").status, 200) << i;
  const HttpReply refused = ada.command("help");
  EXPECT_EQ(refused.status, 429);
  EXPECT_EQ(refused.body, R"({"error":"Too Many Requests","retryAfterSeconds":60})");
  EXPECT_EQ(refused.header("retry-after"), "60");
  EXPECT_EQ(bob.command("help").status, 200);
}

TEST_P(ChatInteractions, are_refused_when_too_large_and_not_counted) {
  const std::string body(65'537, ' ');
  for (int i = 0; i < 35; ++i) {
    const HttpReply reply = post(body, {});
    ASSERT_EQ(reply.status, 413);
    EXPECT_EQ(reply.body, R"({"error":"Payload Too Large","maxBytes":65536})");
  }
}

TEST_P(ChatInteractions, name_the_wrong_field) {
  ChatUser ada = user("1");
  const HttpReply wrong = ada.send(R"({"type":2,"user":{"id":"1"}})");
  EXPECT_EQ(wrong.status, 400);
  EXPECT_EQ(wrong.wrong_fields(), std::vector<std::string>{"data"});
  EXPECT_EQ(ada.send("not json").status, 400);
  EXPECT_EQ(ada.command("fly").status, 400);
  EXPECT_EQ(ada.command("fly").code(), "UNKNOWN_COMMAND");
}

class ChatMembers : public ::testing::TestWithParam<test::Engine> {
 protected:
  test::ChatShop shop{GetParam()};
};
INSTANTIATE_TEST_SUITE_P(Pairs, ChatMembers, test::engines, test::engine_name);

TEST_P(ChatMembers, without_a_shop_are_asked_to_register) {
  ChatUser stranger = shop.user("5");
  stranger.guild = "404";
  EXPECT_NE(content(stranger.command("shop")).find("/register"), std::string::npos);
  stranger.guild = "";
  EXPECT_NE(content(stranger.command("shop")).find("/register"), std::string::npos);
  EXPECT_EQ(shop.admin.get("/api/data/webhook-event").size("/items"), 0u) << "nobody's interaction is nobody's event";
}

TEST_P(ChatMembers, become_users_and_customers_once_and_are_known_in_direct_messages) {
  ChatUser ada = shop.user("5");
  EXPECT_EQ(ada.command("help").status, 200);
  EXPECT_EQ(ada.command("register").status, 200);
  const HttpReply customers = shop.admin.get("/api/data/customer");
  ASSERT_EQ(customers.size(), 1u);
  EXPECT_EQ(customers.text("/0/chatId"), "5");
  EXPECT_EQ(customers.text("/0/chatDisplayName"), "User 5");
  EXPECT_EQ(customers.text("/0/source"), "CHAT");
  const HttpReply user = shop.admin.get("/api/data/user/" + customers.text("/0/userId"));
  EXPECT_EQ(user.text("/username"), "user5");
  EXPECT_EQ(shop.admin.get("/api/admin/grants/" + user.text("/id")).size("/keys"), 0u) << "the bot makes no admins";
  ada.guild = "";
  EXPECT_EQ(ada.command("help").text("/data/embeds/0/title"), shop.admin.get("/api/data/tenant/default").text("/name"));
}

TEST_P(ChatMembers, have_their_interactions_stored_as_events) {
  ChatUser ada = shop.user("5");
  ada.next_id = "interaction-1";
  ada.command("help");
  ada.next_id = "interaction-2";
  ada.command("fly");
  const HttpReply events = shop.admin.get("/api/data/webhook-event");
  ASSERT_EQ(events.size("/items"), 2u);
  EXPECT_EQ(events.text("/items/0/eventId"), "interaction-2");
  EXPECT_EQ(events.text("/items/0/status"), "FAILED");
  EXPECT_EQ(events.text("/items/1/provider"), "CHAT");
  EXPECT_EQ(events.text("/items/1/status"), "PROCESSED");
  EXPECT_EQ(events.text("/items/1/payload/data/name"), "help");
  const std::string path = "/api/data/webhook-event/" + events.text("/items/0/id");
  EXPECT_EQ(shop.admin.patch(path, R"({"status":"RECEIVED"})").status, 400)
      << "what was said in a chat is not repeated";
}

TEST_P(ChatMembers, repeat_no_interaction) {
  ChatUser ada = shop.user("5");
  ada.next_id = "twice";
  EXPECT_EQ(ada.command("help").size("/data/embeds"), 1u);
  ada.next_id = "twice";
  const HttpReply again = ada.command("help");
  EXPECT_EQ(again.size("/data/embeds"), 0u);
  EXPECT_NE(content(again).find("already"), std::string::npos);
  const std::string body = R"({"type":2,"guild_id":"9001","member":{"user":{"id":"5"}},"data":{"name":"help"}})";
  EXPECT_EQ(ada.send(body).size("/data/embeds"), 1u);
  EXPECT_EQ(ada.send(body).size("/data/embeds"), 1u) << "without an id a repetition cannot be recognised";
}

TEST_P(ChatMembers, of_a_server_that_is_bound_to_a_shop_use_that_shop) {
  ChatUser ada = shop.user("5");
  ada.guild = "778";
  const std::string path = "/api/admin/guilds/778";
  EXPECT_EQ(shop.admin.put(path, "{}").text("/tenantId"), "default");
  EXPECT_EQ(shop.admin.put(path, "{}").status, 200) << "again changes nothing";
  EXPECT_EQ(shop.admin.get("/api/admin/guilds").size("/items"), 2u);
  EXPECT_EQ(ada.command("help").size("/data/embeds"), 1u);
  shop.server.add_tenant("other");
  test::CheckedClient other = shop.server.admin("other");
  EXPECT_EQ(other.put(path, "{}").code(), "GUILD_TAKEN");
  EXPECT_EQ(other.del(path).status, 404);
  EXPECT_EQ(shop.admin.del(path).status, 204);
  EXPECT_NE(content(ada.command("help")).find("/register"), std::string::npos);
}

TEST_P(ChatMembers, open_a_shop_if_they_manage_the_server) {
  ChatUser member = shop.user("5"), manager = shop.user("6");
  member.guild = manager.guild = "777";
  EXPECT_NE(content(member.command("register")).find("manage the server"), std::string::npos);
  for (const std::string permissions : {"32", "8"}) {
    manager.permissions = permissions;
    const HttpReply opened = manager.command("register");
    EXPECT_EQ(opened.status, 200);
    if (permissions == "32") EXPECT_NE(content(opened).find("`guild-777`"), std::string::npos);
    if (permissions == "8") EXPECT_NE(content(opened).find("registered"), std::string::npos) << "it is open already";
  }
  EXPECT_NE(content(member.command("register")).find("registered"), std::string::npos);
  ASSERT_EQ(shop.admin.post("/auth/tenant", R"({"tenantId":"guild-777"})").status, 200);
  const HttpReply tenant = shop.admin.get("/api/data/tenant/guild-777");
  EXPECT_EQ(tenant.text("/name"), "User 6's shop");
  const HttpReply grants = shop.admin.get("/api/admin/grants/" + tenant.text("/ownerUserId"));
  EXPECT_EQ(grants.text("/keys/0"), "TenantAdmin");
  EXPECT_EQ(shop.admin.get("/api/data/customer").size(), 2u);
}

TEST_P(ChatMembers, open_one_shop_however_many_try_at_once) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 16; ++i) {
    threads.emplace_back([&, i] {
      ChatUser manager = shop.user(std::to_string(100 + i));
      manager.guild = "777";
      manager.permissions = "32";
      EXPECT_EQ(manager.command("register").status, 200);
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::size_t shops = 0;
  const HttpReply tenants = shop.admin.get("/api/data/tenant");
  for (std::size_t i = 0; i < tenants.size("/items"); ++i) {
    shops += tenants.text(fmt::format("/items/{}/tenantId", i)).starts_with("guild-") ? 1 : 0;
  }
  EXPECT_EQ(shops, 1u);
}

// The lock is held from outside, which only Redis allows.
TEST(ChatLock, keeps_a_repetition_away_until_it_expires) {
  test::ChatShop shop(test::Engine::postgresql);
  test::LoopThread loop;
  const auto engine = open_cache({.url = test::redis_url(), .reply_within = std::chrono::seconds(10)});
  const auto cache = engine->open(loop.context());
  const std::string id = make_uuid(now()), key = "chat:" + id;
  ASSERT_TRUE(loop.run([&] { return cache->lock(key, "another node", std::chrono::hours(1)); }));
  ChatUser ada = shop.user("5");
  ada.next_id = id;
  EXPECT_NE(content(ada.command("help")).find("being processed"), std::string::npos);
  // Whoever holds it has died, so that it expires.
  const auto expires = [&] {
    return cache->replace(key, "another node", "another node", std::chrono::milliseconds(1));
  };
  ASSERT_TRUE(loop.run(expires));
  EXPECT_TRUE(test::eventually([&] {
    ada.next_id = id;
    const HttpReply reply = ada.command("help");
    return reply.has("/data/embeds") && reply.size("/data/embeds") == 1;
  }));
}

TEST_P(ChatMembers, cannot_open_one_where_interactions_are_not_verified) {
  for (const std::string provision : {"false", "true"}) {
    test::TestServer server(GetParam(), {{"SERVICE_ENV", "development"}, {"CHAT_AUTO_PROVISION", provision}});
    ChatUser manager(server.port(), "5");
    manager.permissions = "32";
    const HttpReply reply = manager.command("register");
    EXPECT_EQ(reply.status, 200);
    EXPECT_EQ(content(reply).find("tenant id") != std::string::npos, provision == "true") << reply.body;
    test::HttpClient anybody(server.port());
    EXPECT_EQ(anybody.post("/chat/interactions", std::string(ping)).status, 200) << "nothing is verified";
    EXPECT_EQ(anybody.get("/readyz").body.find("CHAT_INTERACTIONS"), std::string::npos) << "strangers do not see it";
  }
}

const std::string help_in_guild = R"({"type":2,"guild_id":"9001","member":{"user":{"id":"5"}},"data":{"name":"help"}})";

// Whether the start-up log and doctor have this warning.
bool warns(const test::TestServer& server, std::string_view text) {
  return std::ranges::any_of(warnings_of(server.config),
                             [&](const std::string& warning) { return warning.find(text) != std::string::npos; });
}

TEST(ChatWithoutKey, is_refused_in_production_but_for_pings_and_counted_by_address) {
  test::TestServer server(test::Engine::sqlite,
                          {{"RATE_LIMIT_DISABLED", "false"}, {"RATE_LIMIT_CHAT_PER_MIN", "1000"}});
  test::HttpClient anybody(server.port());
  EXPECT_EQ(anybody.post("/chat/interactions", std::string(ping)).body, ping);
  for (int i = 0; i < 30; ++i) {
    const HttpReply refused = anybody.post("/chat/interactions", i == 0 ? "not json" : help_in_guild);
    ASSERT_EQ(refused.status, 401) << i;
    EXPECT_EQ(refused.code(), "SIGNATURE_REQUIRED");
  }
  EXPECT_EQ(anybody.post("/api/chat/interactions", help_in_guild).status, 429);
  EXPECT_EQ(anybody.post("/chat/interactions", std::string(ping)).status, 200) << "pings are not counted";
  EXPECT_TRUE(warns(server, "all chat interactions but pings are refused"));
}

TEST(ChatWithoutKey, is_accepted_in_development_and_where_the_operator_allows_it) {
  for (const std::pair<std::string, std::string> allowing :
       {std::pair("SERVICE_ENV", "development"), std::pair("CHAT_INTERACTIONS_UNVERIFIED", "true")}) {
    test::TestServer server(test::Engine::sqlite, {allowing});
    test::HttpClient anybody(server.port());
    EXPECT_EQ(anybody.post("/chat/interactions", help_in_guild).status, 200) << allowing.first;
    EXPECT_TRUE(warns(server, "anybody's chat interactions are believed"));
    EXPECT_EQ(anybody.get("/readyz").body.find("CHAT_INTERACTIONS"), std::string::npos) << "strangers do not see it";
  }
  test::TestServer with_key(test::Engine::sqlite, {{"CHAT_INTERACTIONS_UNVERIFIED", "true"},
                                                   {"CHAT_INTERACTIONS_PUBLIC_KEY", test::chat_public_key()}});
  EXPECT_EQ(test::HttpClient(with_key.port()).post("/chat/interactions", help_in_guild).code(), "INVALID_SIGNATURE")
      << "a key is always used";
}

TEST_P(ChatMembers, of_a_bound_server_are_served_even_where_the_platform_names_no_member) {
  ChatUser platform = shop.user("5");
  const auto in_guild = [](const std::string& who, const std::string& command) {
    return fmt::format(R"({{"id":"{}","type":2,"guild_id":"9001"{},"data":{{"name":"{}"}}}})", make_uuid(now()), who,
                       command);
  };
  const std::string title = shop.admin.get("/api/data/tenant/default").text("/name");
  EXPECT_EQ(platform.send(in_guild(R"(,"user":{"id":"6"})", "help")).text("/data/embeds/0/title"), title);
  EXPECT_EQ(shop.admin.get("/api/data/customer").size(), 1u) << "the user is registered";
  EXPECT_EQ(platform.send(in_guild("", "help")).text("/data/embeds/0/title"), title);
  for (const std::string command : {"register", "orders", "donate", "notify"}) {
    const HttpReply reply = platform.send(in_guild("", command));
    EXPECT_EQ(reply.status, 200);
    EXPECT_NE(content(reply).find("cannot tell who you are"), std::string::npos) << command;
  }
  EXPECT_EQ(platform.send(in_guild("", "fly")).code(), "UNKNOWN_COMMAND");
  EXPECT_EQ(shop.admin.get("/api/data/customer").size(), 1u) << "nobody cannot be registered";
  EXPECT_EQ(shop.admin.get("/api/data/webhook-event").size("/items"), 7u) << "but is kept and deduplicated";
  EXPECT_NE(content(platform.send(R"({"type":2,"data":{"name":"help"}})")).find("/register"), std::string::npos);
}

TEST_P(ChatMembers, of_two_servers_get_the_shop_of_the_server_and_in_direct_messages_their_own) {
  shop.server.add_tenant("other");
  shop.server.write([](Tx& tx) { bind_guild(tx, TenantId(std::string("other")), "9002", now()); });
  ChatUser ada = shop.user("5");
  ada.guild = "9002";
  EXPECT_EQ(ada.command("help").text("/data/embeds/0/title"), "other");
  ada.guild = "";
  EXPECT_EQ(ada.command("help").text("/data/embeds/0/title"), "other");
  const std::string without_member = R"({"type":2,"guild_id":"9001","user":{"id":"5"},"data":{"name":"help"}})";
  EXPECT_EQ(ada.send(without_member).text("/data/embeds/0/title"),
            shop.admin.get("/api/data/tenant/default").text("/name"))
      << "the server decides, not the member's own shop";
}

TEST_P(ChatMembers, repeat_no_command_component_or_modal) {
  ChatUser ada = shop.user("5");
  const std::string song = shop.product("Song");
  const HttpReply card = ada.choose(component(ada.command("shop"), "pick"), song);
  const HttpReply form = ada.press(component(card, "buy"));
  const auto twice = [&](const std::function<HttpReply()>& act) {
    const std::string id = ada.next_id = make_uuid(now());
    EXPECT_EQ(act().body.find("already"), std::string::npos);
    ada.next_id = id;
    EXPECT_NE(act().body.find("already"), std::string::npos);
  };
  twice([&] { return ada.command("help"); });
  twice([&] { return ada.press(component(card, "buy")); });
  twice([&] { return ada.submit(component(form, "form"), {}); });
}

TEST_P(ChatMembers, see_nothing_of_a_deleted_shop) {
  ChatUser ada = shop.user("5");
  ada.guild = "777";
  ada.permissions = "32";
  ada.command("register");
  ASSERT_EQ(shop.admin.del("/api/data/tenant/guild-777").status, 204);
  EXPECT_NE(content(ada.command("shop")).find("/register"), std::string::npos);
  ada.guild = "";
  EXPECT_NE(content(ada.command("shop")).find("/register"), std::string::npos);
  ada.guild = "777";
  EXPECT_NE(content(ada.command("register")).find("`guild-"), std::string::npos) << "the server may have a new one";
}

}  // namespace
}  // namespace guildhall
