#include <gtest/gtest.h>

#include "support/chat_shop.h"

namespace guildhall {
namespace {

class GuildRoleList : public ::testing::TestWithParam<test::Engine> {
 protected:
  test::ChatShop shop{GetParam()};
};
INSTANTIATE_TEST_SUITE_P(Pairs, GuildRoleList, test::engines, test::engine_name);

TEST_P(GuildRoleList, names_the_roles_of_the_bound_chat_server) {
  const auto reply = shop.admin.get("/api/data/chat-role");
  ASSERT_EQ(reply.status, 200) << reply.body;
  EXPECT_EQ(reply.text("/guildId"), "9001");
  ASSERT_EQ(reply.size("/items"), 5U);
  EXPECT_FALSE(reply.boolean("/items/0/assignable")) << "everybody has it";
  EXPECT_EQ(reply.text("/items/1/name"), "Lantern Keeper");
  EXPECT_TRUE(reply.boolean("/items/1/assignable"));
  EXPECT_EQ(reply.text("/items/3/name"), "Guildhall");
  EXPECT_FALSE(reply.boolean("/items/3/assignable")) << "the bot's own";
  shop.sandbox.answer("chat", "/guilds/9001/roles", 200, R"([{"id":"1","name":"A"},{"name":"no id"},"no role"])");
  EXPECT_EQ(shop.admin.get("/api/data/chat-role").size("/items"), 1U);
}

TEST_P(GuildRoleList, is_empty_without_a_chat_server) {
  shop.server.write([](Tx& tx) { release_guild(tx, TenantId(std::string("default")), "9001"); });
  const auto reply = shop.admin.get("/api/data/chat-role");
  ASSERT_EQ(reply.status, 200) << reply.body;
  EXPECT_TRUE(reply.is_null("/guildId"));
  EXPECT_EQ(reply.size("/items"), 0U);
}

TEST_P(GuildRoleList, is_unavailable_while_the_platform_fails) {
  shop.sandbox.fail("chat", sandbox::FaultKind::error);
  EXPECT_EQ(shop.admin.get("/api/data/chat-role").status, 503);
}

}  // namespace
}  // namespace guildhall
