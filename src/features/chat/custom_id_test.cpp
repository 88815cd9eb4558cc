#include "features/chat/custom_id.h"

#include <gtest/gtest.h>

namespace guildhall::chat {
namespace {

TEST(CustomIds, lead_their_own_member_to_a_step_for_a_while) {
  const CustomIds ids({"secret"}), others({"other"});
  const TenantId here(std::string("here")), there(std::string("there"));
  const std::string ada = "1", eve = "2";
  const Instant at{1'000'000'000'000};
  const std::string id = ids.sign({"buy", make_uuid(at)}, {here, ada}, at);
  EXPECT_LE(id.size(), 100u);

  const auto step = ids.verify(id, {here, ada}, at);
  ASSERT_TRUE(step);
  EXPECT_EQ(step->name, "buy");
  EXPECT_EQ(step->argument.size(), 36u);
  EXPECT_TRUE(ids.verify(id, {here, ada}, at + component_lifetime - std::chrono::seconds(1)));
  EXPECT_FALSE(ids.verify(id, {here, ada}, at + component_lifetime)) << "too old";
  EXPECT_FALSE(ids.verify(id, {here, eve}, at)) << "somebody else's";
  EXPECT_FALSE(ids.verify(id, {there, ada}, at)) << "another shop's";
  EXPECT_FALSE(others.verify(id, {here, ada}, at)) << "signed with another key";
  EXPECT_TRUE(CustomIds({"other", "secret"}).verify(id, {here, ada}, at)) << "signed with a former key";
  for (std::size_t i = 0; i < id.size(); ++i) {
    std::string changed = id;
    changed[i] = changed[i] == 'a' ? 'b' : 'a';
    EXPECT_FALSE(ids.verify(changed, {here, ada}, at)) << changed;
  }
  for (const std::string_view rubbish : {"", ".", "...", "buy", "buy.x.y.z"}) {
    EXPECT_FALSE(ids.verify(rubbish, {here, ada}, at)) << rubbish;
  }
}

TEST(CustomIds, carry_an_empty_argument) {
  const CustomIds ids({"secret"});
  const TenantId tenant(std::string("t"));
  const std::string user = "1";
  const auto step = ids.verify(ids.sign({"page", ""}, {tenant, user}, now()), {tenant, user}, now());
  ASSERT_TRUE(step);
  EXPECT_EQ(step->name, "page");
  EXPECT_EQ(step->argument, "");
}

}  // namespace
}  // namespace guildhall::chat
