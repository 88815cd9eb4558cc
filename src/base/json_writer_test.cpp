#include "base/json_writer.h"

#include <gtest/gtest.h>

#include "base/declared.h"

namespace guildhall::json {
namespace {

TEST(JsonWriter, writes_every_kind_of_value) {
  const std::string text = "a\"b";
  const std::optional<std::string> none;
  EXPECT_EQ(object({{"text", text},
                    {"literal", "x"},
                    {"view", std::string_view("\n")},
                    {"number", -1},
                    {"size", std::size_t{7}},
                    {"flag", true},
                    {"nothing", nullptr},
                    {"none", none},
                    {"instant", Instant{0}},
                    {"list", array({1, "two", array({}), object({})})},
                    {"verbatim", verbatim("[1]")}})
                .text,
            R"({"text":"a\"b","literal":"x","view":"\n","number":-1,"size":7,"flag":true,"nothing":null,"none":null,)"
            R"("instant":"1970-01-01T00:00:00.000Z","list":[1,"two",[],{}],"verbatim":[1]})");
}

TEST(JsonWriter, writes_one_member_and_one_element) {
  EXPECT_EQ(object({{"a", "b"}}).text, R"({"a":"b"})");
  EXPECT_EQ(array({"a"}).text, R"(["a"])");
  EXPECT_EQ(array({array({"a"})}).text, R"([["a"]])");
}

TEST(JsonWriter, writes_members_and_elements_one_after_the_other) {
  const std::string text = write_object([](ObjectWriter& object) {
    object.add("a", 1);
    ArrayWriter list(object.key("list"));
    list.add("x");
    ObjectWriter inner(list.next());
    inner.add("quo\"te", false);
  });
  EXPECT_EQ(text, R"({"a":1,"list":["x",{"quo\"te":false}]})");
  EXPECT_EQ(write_array([](ArrayWriter&) {}), "[]");
  EXPECT_EQ(write_object([](ObjectWriter&) {}), "{}");
}

}  // namespace
}  // namespace guildhall::json
