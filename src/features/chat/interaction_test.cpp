#include "features/chat/interaction.h"

#include <gtest/gtest.h>

#include "base/failure.h"

namespace guildhall::chat {
namespace {

using Type = Interaction::Type;

Interaction parse(std::string_view body) {
  const ParsedInteraction parsed = parse_interaction(body);
  if (parsed.failure) throw Failure(*parsed.failure);
  return parsed.interaction;
}

TEST(Interaction, of_a_guild_names_the_member_and_the_command) {
  const Interaction got = parse(R"({
    "id":"1","application_id":"2","type":2,"token":"t","guild_id":"3","channel_id":"4","locale":"de",
    "member":{"user":{"id":"18446744073709551615","username":"ada","global_name":"Ada"},"nick":"Countess",
              "roles":["7","8"],"permissions":"2147483680"},
    "data":{"id":"5","name":"donate","type":1,"options":[
      {"name":"amount","type":10,"value":5.5},{"name":"anonymous","type":5,"value":true},
      {"name":"group","type":2,"options":[{"name":"sub","type":1,"options":[{"name":"deep","type":3,"value":"x"}]}]}]}})");
  EXPECT_EQ(got.type, Type::command);
  EXPECT_EQ(got.user_id, "18446744073709551615");
  EXPECT_EQ(got.username, "ada");
  EXPECT_EQ(got.display_name, "Countess");
  EXPECT_EQ(got.role_ids, (std::vector<std::string>{"7", "8"}));
  EXPECT_TRUE(got.manages_guild);
  EXPECT_EQ(got.name, "donate");
  EXPECT_EQ(got.input("amount"), "5.5");
  EXPECT_EQ(got.input("anonymous"), "true");
  EXPECT_EQ(got.input("deep"), "x");
  EXPECT_EQ(got.input("unknown"), "");
  EXPECT_TRUE(got.is_of_guild("6")) << "the platform has not said otherwise";
}

TEST(Interaction, distinguishes_members_and_channels_of_the_guild_from_others) {
  const Interaction got = parse(R"({"type":2.0,"data":{"name":"notify","resolved":{
    "users":{"6":{},"7":{}},"members":{"6":{}},"channels":{"8":{}}}}})");
  EXPECT_EQ(got.type, Type::command);
  EXPECT_EQ(got.user_id, "");
  EXPECT_TRUE(got.is_of_guild("6"));
  EXPECT_FALSE(got.is_of_guild("7")) << "somebody, but no member";
  EXPECT_TRUE(got.is_of_guild("8"));
}

TEST(Interaction, of_a_direct_message_has_no_member) {
  const Interaction got =
      parse(R"({"type":3,"user":{"id":"1"},"data":{"custom_id":"a.b","values":["x"]},"guild_id":null})");
  EXPECT_EQ(got.id, "");
  EXPECT_EQ(got.guild_id, "");
  EXPECT_EQ(got.username, "1") << "nothing else names them";
  EXPECT_EQ(got.display_name, "1");
  EXPECT_FALSE(got.manages_guild);
  EXPECT_EQ(got.name, "a.b");
  EXPECT_EQ(got.chosen, std::vector<std::string>{"x"});
}

TEST(Interaction, of_a_modal_comes_in_two_shapes) {
  for (const std::string_view components :
       {R"([{"type":1,"components":[{"type":4,"custom_id":"quantity","value":"2"}]}])",
        R"([{"type":18,"component":{"type":4,"custom_id":"quantity","value":"2"}}])"}) {
    const Interaction got = parse(
        fmt::format(R"({{"type":5,"user":{{"id":"1"}},"data":{{"custom_id":"f","components":{}}}}})", components));
    EXPECT_EQ(got.type, Type::modal);
    EXPECT_EQ(got.input("quantity"), "2");
  }
}

TEST(Interaction, names_the_wrong_field) {
  struct Case {
    std::string_view body, field;
  };
  for (const Case& line :
       {Case{R"({})", "type"},
        {R"({"type":"2"})", "type"},
        {R"({"type":4})", "type"},
        {R"({"type":2.5})", "type"},
        {R"({"type":2,"user":{"id":1},"data":{"name":"x"}})", "user.id"},
        {R"({"type":2,"user":{"id":""},"data":{"name":"x"}})", "user.id"},
        {R"({"type":2,"member":{"roles":[]},"data":{"name":"x"}})", "member.user"},
        {R"({"type":2,"member":{"user":{"id":"1"},"roles":[7]},"data":{"name":"x"}})", "member.roles[0]"},
        {R"({"type":2,"user":{"id":"1"}})", "data"},
        {R"({"type":2,"user":{"id":"1"},"data":[]})", "data"},
        {R"({"type":2,"user":{"id":"1"},"data":{}})", "data.name"},
        {R"({"type":2,"user":{"id":"1"},"data":{"name":"x","options":{}}})", "data.options"},
        {R"({"type":2,"user":{"id":"1"},"data":{"name":"x","options":[{}]}})", "data.options[0].name"},
        {R"({"type":3,"user":{"id":"1"},"data":{"name":"x"}})", "data.custom_id"},
        {R"({"type":3,"user":{"id":"1"},"data":{"custom_id":"x","values":"y"}})", "data.values"},
        {R"({"type":5,"user":{"id":"1"},"data":{"custom_id":"x","components":[{"component":3}]}})",
         "data.components[0].component"},
        {R"({"type":2,"id":5,"user":{"id":"1"},"data":{"name":"x"}})", "id"}}) {
    try {
      parse(line.body);
      ADD_FAILURE() << line.body;
    } catch (const Failure& failure) {
      ASSERT_FALSE(failure.details.empty()) << line.body;
      EXPECT_EQ(failure.details.front().field, line.field) << line.body;
    }
  }
  for (const std::string_view body : {"", "[]", "{", "null", R"({"type":1,"type":1})"}) {
    EXPECT_THROW(parse(body), Failure) << body;
  }
}

TEST(Interaction, names_its_sender_even_if_it_is_wrong) {
  const auto sender_of = [](std::string_view body) { return parse_interaction(body).sender; };
  EXPECT_EQ(sender_of(R"({"member":{"user":{"id":"1"}},"user":{"id":"2"}})"), "1");
  EXPECT_EQ(sender_of(R"({"user":{"id":"2"}})"), "2");
  EXPECT_EQ(sender_of(R"({"type":1})"), "");
  EXPECT_EQ(sender_of(R"({"type":1,"user":{"id":"2"}})"), "2") << "pings are counted, too";
  EXPECT_EQ(sender_of("rubbish"), "");
  EXPECT_EQ(sender_of(R"({"user":{"id":")" + std::string(65, '1') + R"("}})"), "") << "not a key to fill memory with";
}

}  // namespace
}  // namespace guildhall::chat
