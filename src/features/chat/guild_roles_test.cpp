#include <gtest/gtest.h>

#include "support/chat_shop.h"
#include "support/stand_in.h"

namespace guildhall {
namespace {

using test::StandInReply, test::StandInRequest;

class GuildRoleList : public ::testing::TestWithParam<test::Engine> {
 protected:
  test::ChatShop shop{GetParam()};
};
INSTANTIATE_TEST_SUITE_P(Pairs, GuildRoleList, test::engines, test::engine_name);

TEST_P(GuildRoleList, names_the_roles_of_the_bound_chat_server) {
  shop.platform.on("GET", "/guilds/9001/roles", [](const StandInRequest&) {
    return StandInReply{.body =
                            R"([{"id":"9001","name":"@everyone","managed":false},)"
                            R"({"id":"1","name":"Supporter","managed":false},{"id":"2","name":"Bot","managed":true},)"
                            R"({"name":"no id"},"no role"])"};
  });
  const auto reply = shop.admin.get("/api/data/chat-role");
  ASSERT_EQ(reply.status, 200) << reply.body;
  EXPECT_EQ(reply.text("/guildId"), "9001");
  ASSERT_EQ(reply.size("/items"), 3U);
  EXPECT_EQ(reply.text("/items/0/assignable"), "false");
  EXPECT_EQ(reply.text("/items/1/name"), "Supporter");
  EXPECT_EQ(reply.text("/items/1/assignable"), "true");
  EXPECT_EQ(reply.text("/items/2/assignable"), "false");
}

TEST_P(GuildRoleList, is_empty_without_a_chat_server) {
  shop.server.write([](Tx& tx) { release_guild(tx, TenantId(std::string("default")), "9001"); });
  const auto reply = shop.admin.get("/api/data/chat-role");
  ASSERT_EQ(reply.status, 200) << reply.body;
  EXPECT_EQ(reply.text("/guildId"), "");
  EXPECT_EQ(reply.size("/items"), 0U);
}

TEST_P(GuildRoleList, is_unavailable_while_the_platform_fails) {
  shop.platform.on("GET", "/guilds/9001/roles",
                   [](const StandInRequest&) { return StandInReply{.status = 500, .body = "no JSON"}; });
  EXPECT_EQ(shop.admin.get("/api/data/chat-role").status, 503);
}

}  // namespace
}  // namespace guildhall
