#include "features/chat/answer.h"

#include <gtest/gtest.h>

#include "sandbox/chat_rules.h"

namespace guildhall::chat {
namespace {

TEST(Answer, is_encoded_as_the_platform_requires) {
  const Message message{
      .content = "Hi \"you\"",
      .embeds = {{.title = "T", .description = "D", .fields = {{"N", "V", true}}, .footer = "F"}},
      .rows = {Select{"s.1", "Choose", {{"L", "v", "d"}, {"M", "w"}}},
               Buttons{{Button::Style::success, "Buy", "b.1"}, {Button::Style::link, "Open", "https://x.test/"}}}};
  EXPECT_EQ(
      answer_json(message),
      R"({"type":4,"data":{"content":"Hi \"you\"","embeds":[{"title":"T","description":"D","fields":[)"
      R"({"name":"N","value":"V","inline":true}],"footer":{"text":"F"}}],"components":[{"type":1,"components":[)"
      R"({"type":3,"custom_id":"s.1","placeholder":"Choose","options":[{"label":"L","value":"v","description":"d"},)"
      R"({"label":"M","value":"w"}]}]},{"type":1,"components":[{"type":2,"style":3,"label":"Buy","custom_id":"b.1"},)"
      R"({"type":2,"style":5,"label":"Open","url":"https://x.test/"}]}],"flags":64,"allowed_mentions":{"parse":[]}}})");
  EXPECT_EQ(message_json({.content = "x"}),
            R"({"content":"x","embeds":[],"components":[],"allowed_mentions":{"parse":[]}})");
  EXPECT_EQ(answer_json(Modal{
                "f.1",
                "Mug",
                {{.custom_id = "q", .label = "Quantity", .value = "1", .length_max = 7},
                 {.custom_id = "a", .label = "Address", .placeholder = "Name", .paragraph = true, .required = false}}}),
            R"({"type":9,"data":{"custom_id":"f.1","title":"Mug","components":[{"type":1,"components":[{"type":4,)"
            R"("custom_id":"q","label":"Quantity","style":1,"required":true,"max_length":7,"value":"1"}]},{"type":1,)"
            R"("components":[{"type":4,"custom_id":"a","label":"Address","style":2,"required":false,"max_length":100,)"
            R"("placeholder":"Name"}]}]}})");
  EXPECT_EQ(answer_json(Pong{}), R"({"type":1})");
  EXPECT_EQ(answer_json(Deferred{}), R"({"type":5,"data":{"flags":64}})");
}

TEST(Answer, is_never_longer_than_the_platform_allows) {
  const auto long_text = [](std::size_t count) {
    std::string text;
    while (text.size() < count) text += "ä😀x";
    return text;
  };
  Message message{.content = long_text(9000)};
  for (int i = 0; i < 12; ++i) {
    Embed embed{.title = long_text(3000), .description = long_text(30'000), .footer = long_text(9000)};
    for (int j = 0; j < 30; ++j) embed.fields.push_back({long_text(900), long_text(5000)});
    message.embeds.push_back(embed);
  }
  Select select{"s", long_text(500), {}};
  for (int i = 0; i < 40; ++i) select.options.push_back({long_text(500), std::to_string(i), long_text(500)});
  Buttons buttons;
  for (int i = 0; i < 9; ++i) buttons.push_back({Button::Style::primary, long_text(500), "b" + std::to_string(i)});
  message.rows = {select, buttons};
  EXPECT_EQ(sandbox::faults_of_answer(answer_json(message)), "");
  message.embeds = std::vector<Embed>(12, {.title = "t", .fields = std::vector<EmbedField>(30, {"n", "v"})});
  EXPECT_EQ(sandbox::faults_of_answer(answer_json(message)), "");
  Modal modal{"m", long_text(200), {}};
  for (int i = 0; i < 7; ++i) {
    modal.inputs.push_back({.custom_id = std::to_string(i),
                            .label = long_text(200),
                            .value = long_text(900),
                            .placeholder = long_text(400)});
  }
  EXPECT_EQ(sandbox::faults_of_answer(answer_json(modal)), "");
}

}  // namespace
}  // namespace guildhall::chat
