#include "audit/audit_changes.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <simdjson.h>

#include "base/json_writer.h"

namespace guildhall {
namespace {

using List = std::vector<std::string>;

std::string list_text(const List& elements) {
  std::string text = "[";
  for (const std::string& element : elements) {
    if (text.size() > 1) text += ',';
    text += element;
  }
  return text + "]";
}

std::string change(std::string_view before, std::string_view after) {
  std::string changes = "{";
  append_change(changes, "f", before, after);
  return changes + "}";
}

// An element like those of records: an object with texts that contain the special characters of JSON.
List random_list() {
  const auto texts = *rc::gen::resize(8, rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 5)));
  List list;
  for (const int text : texts) {
    std::string element = R"({"line":)";
    json::append_string(element,
                        std::array{"a", "]},{[", "\"quoted\\\"", "x:y,z", "日本"}[static_cast<std::size_t>(text)]);
    list.push_back(element + R"(,"nested":[1,{"a":[]}]})");
  }
  return list;
}

// Applies changes to the list they were made from.
List applied(List list, const std::string& changes) {
  simdjson::dom::parser parser;
  const simdjson::dom::object fields = parser.parse(changes);
  std::vector<std::size_t> removed;
  for (const auto [key, value] : fields) {
    const std::size_t index = std::stoul(std::string(key.substr(key.find('[') + 1)));
    const std::string after = simdjson::minify(value["after"]);
    if (value["before"].is_null()) {
      list.insert(list.begin() + static_cast<std::ptrdiff_t>(index), after);
      continue;
    }
    EXPECT_EQ(list[index], simdjson::minify(value["before"]));
    list[index] = after;
    if (value["after"].is_null()) removed.push_back(index);
  }
  for (auto index = removed.rbegin(); index != removed.rend(); ++index) {
    list.erase(list.begin() + static_cast<std::ptrdiff_t>(*index));
  }
  return list;
}

TEST(Changes, of_lists_turn_one_into_the_other) {
  EXPECT_TRUE(rc::check([] {
    const List before = random_list(), after = random_list();
    RC_ASSERT(applied(before, change(list_text(before), list_text(after))) == after);
  }));
}

TEST(Changes, of_one_element_contain_only_that_element) {
  EXPECT_TRUE(rc::check([] {
    List before = random_list();
    const std::size_t index = *rc::gen::inRange<std::size_t>(0, before.size() + 1);
    List after = before;
    const auto at = after.begin() + static_cast<std::ptrdiff_t>(index);
    const bool added = *rc::gen::arbitrary<bool>() || index == before.size();
    if (added) {
      after.insert(at, R"({"new":true})");
    } else {
      *at = R"({"new":true})";
    }
    const std::string found = change(list_text(before), list_text(after));
    const std::string was = added ? "null" : before[index];
    RC_ASSERT(found == "{\"f[" + std::to_string(index) + "]\":{\"before\":" + was + R"(,"after":{"new":true}}})");
  }));
}

TEST(Changes, of_other_values_contain_both) {
  EXPECT_EQ(change("1", "1"), "{}");
  EXPECT_EQ(change("1", "null"), R"({"f":{"before":1,"after":null}})");
  EXPECT_EQ(change("null", "[1]"), R"({"f":{"before":null,"after":[1]}})");
  EXPECT_EQ(change("[]", "[]"), "{}");
  EXPECT_EQ(change("[1,2,3]", "[1,3]"), R"({"f[1]":{"before":2,"after":null}})");
}

TEST(Changes, are_bounded_and_stay_json) {
  EXPECT_TRUE(rc::check([] {
    std::string changes = "{";
    const int fields = *rc::gen::inRange(0, 400);
    const int bytes = *rc::gen::element(0, 10, 300, 20'000);
    for (int i = 0; i < fields; ++i) {
      std::string text = "\"";
      for (int j = 0; j < bytes; ++j) text += j % 7 == 0 ? "\\\"" : j % 5 == 0 ? "é" : "x";
      append_change(changes, (i % 3 == 0 ? "f[" : "f") + std::to_string(i) + (i % 3 == 0 ? "]" : ""), "null",
                    text + "\"");
    }
    changes += '}';
    const std::string bounded = bounded_changes(changes);
    RC_ASSERT(bounded.size() <= changes_bytes_max);
    RC_ASSERT(changes.size() > changes_bytes_max || bounded == changes);
    simdjson::dom::parser parser;
    simdjson::dom::object parsed;
    RC_ASSERT(parser.parse(bounded).get(parsed) == simdjson::SUCCESS);
    if (bounded == changes) return;
    RC_ASSERT(bounded.find("\"cut\"") != bounded.npos || bounded.find("\"omitted\"") != bounded.npos);
  }));
}

TEST(Changes, that_are_cut_contain_their_length) {
  const std::string text = "\"" + std::string(20'000, 'x') + "\"";
  const std::string bounded = bounded_changes(change("7", text));
  simdjson::dom::parser parser;
  const simdjson::dom::element parsed = parser.parse(bounded);
  EXPECT_EQ(std::int64_t(parsed["f"]["before"]), 7);
  EXPECT_EQ(std::int64_t(parsed["f"]["after"]["bytes"]), 20'002);
  EXPECT_TRUE(std::string_view(parsed["f"]["after"]["cut"]).starts_with("\"xxx"));
}

TEST(Changes, keep_whole_fields_before_elements_of_lists) {
  std::string changes = "{";
  for (int i = 0; i < 1000; ++i) append_change(changes, "items[" + std::to_string(i) + "]", "null", "1234567");
  append_change(changes, "status", R"("A")", R"("B")");
  const std::string bounded = bounded_changes(changes + "}");
  EXPECT_NE(bounded.find(R"("status":{"before":"A","after":"B"})"), std::string::npos);
  EXPECT_NE(bounded.find("\"omitted\""), std::string::npos);
}

}  // namespace
}  // namespace guildhall
