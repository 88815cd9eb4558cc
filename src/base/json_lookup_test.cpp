#include "base/json_lookup.h"

#include <gtest/gtest.h>

namespace guildhall {
namespace {

TEST(JsonLookup, reads_objects_and_lists_only) {
  EXPECT_TRUE(JsonLookup::parse("{}"));
  EXPECT_TRUE(JsonLookup::parse_list("[]"));
  for (const char* text : {"", "[]", "1", "null", "{", "{\"a\":\"\xff\"}"})
    EXPECT_FALSE(JsonLookup::parse(text)) << text;
  for (const char* text : {"", "{}", "1"}) EXPECT_FALSE(JsonLookup::parse_list(text)) << text;
  EXPECT_EQ(JsonLookup::parse_list(R"([{"a":"b"}])")->text("/0/a"), "b");
}

TEST(JsonLookup, finds_values_by_their_path) {
  const auto document = JsonLookup::parse(
      R"({"text":"x","number":7,"real":1.50,"flag":true,"none":null,"list":[1,2],"blank":" ","nul":"a\u0000"})");
  ASSERT_TRUE(document);
  EXPECT_EQ(document->text("/text"), "x");
  EXPECT_EQ(document->text("/number"), "7");
  EXPECT_EQ(document->text("/flag"), "true");
  EXPECT_EQ(document->text("/list/1"), "2");
  for (const char* pointer : {"/none", "/list", "/other", "/list/2", "/text/x"}) {
    EXPECT_EQ(document->text(pointer), "") << pointer;
  }
  EXPECT_EQ(document->string("/text"), "x");
  for (const char* pointer : {"/number", "/none", "/blank", "/nul", "/other"}) {
    EXPECT_EQ(document->string(pointer), std::nullopt) << pointer;
  }
  EXPECT_EQ(document->integer("/number"), 7);
  for (const char* pointer : {"/text", "/real", "/none", "/other"}) {
    EXPECT_EQ(document->integer(pointer), std::nullopt) << pointer;
  }
  EXPECT_TRUE(document->has("/list"));
  EXPECT_FALSE(document->has("/none"));
  EXPECT_EQ(document->size("/list"), 2u);
  EXPECT_EQ(document->size("/text"), 0u);
}

}  // namespace
}  // namespace guildhall
