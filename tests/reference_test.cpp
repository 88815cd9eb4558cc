// Checks that the OpenAPI document describes everything in words, and that the files named reference.json describe
// nothing that does not exist.
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>
#include <regex>
#include <set>
#include <sstream>

#include "api/openapi.h"
#include "app/slices.h"
#include "support/test_server.h"

namespace guildhall {
namespace {

using simdjson::SUCCESS;
using simdjson::dom::element;
using simdjson::dom::object;

class ReferenceTexts : public ::testing::Test {
 protected:
  ReferenceTexts()
      : server(test::Engine::sqlite,
               {{"PLATFORM_BILLING_ENABLED", "true"}, {"PUBLIC_BASE_URL", "https://shop.example.com"}}) {
    text = test::HttpClient(server.port()).get("/openapi.json").body;
    document = parser.parse(text).value();
  }

  test::TestServer server;
  std::string text;
  simdjson::dom::parser parser;
  element document;
};

bool has(element value, const char* key) {
  return value[key].error() == SUCCESS;
}

std::string lines(const std::vector<std::string>& all) {
  std::string out;
  for (const std::string& line : all) out += "\n  " + line;
  return out;
}

constexpr std::string_view hint = "\nAdd the texts to the reference.json of the slice: docs/adding-a-resource.md";

TEST_F(ReferenceTexts, describe_every_operation_parameter_and_header) {
  std::vector<std::string> missing;
  std::set<std::string> ids;
  for (const auto [path, methods] : object(document["paths"])) {
    for (const auto [method, operation] : object(methods)) {
      const std::string name = fmt::format("{} {}", method, path);
      for (const char* key : {"operationId", "tags", "summary", "description"}) {
        if (!has(operation, key)) missing.push_back(fmt::format("{}: no {}", name, key));
      }
      std::string_view id;
      if (operation["operationId"].get(id) == SUCCESS && !ids.emplace(id).second) {
        missing.push_back(fmt::format("{}: another operation has the id {}", name, id));
      }
      for (const element parameter : simdjson::dom::array(operation["parameters"])) {
        if (has(parameter, "$ref")) continue;
        for (const char* key : {"description", "example"}) {
          if (!has(parameter, key)) {
            missing.push_back(
                fmt::format("{}: no {} of the parameter {}", name, key, std::string_view(parameter["name"])));
          }
        }
      }
    }
  }
  for (const char* section : {"parameters", "headers"}) {
    for (const auto [name, header] : object(document["components"][section])) {
      if (!has(header, "description") || !has(header, "example")) missing.push_back(fmt::format("header {}", name));
    }
  }
  EXPECT_TRUE(missing.empty()) << lines(missing) << hint;
}

TEST_F(ReferenceTexts, describe_every_event_that_leaves_the_server) {
  std::vector<std::string> missing;
  std::set<std::string> known;
  for (const auto [name, methods] : object(document["webhooks"])) {
    known.emplace(name);
    if (!has(methods["post"], "description")) missing.push_back(fmt::format("{}: no description", name));
  }
  EXPECT_GE(known.size(), published_event_names().size() + 1) << "webhook.test comes with the published ones";
  for (const std::string_view file : api::reference_files()) {
    simdjson::dom::parser file_parser;
    const element reference = file_parser.parse(simdjson::padded_string(file)).value();
    object notes;
    if (reference["webhooks"].get(notes) != SUCCESS) continue;
    for (const auto [name, note] : notes) {
      if (!known.contains(std::string(name))) missing.push_back(fmt::format("{}: there is no such event", name));
    }
  }
  EXPECT_TRUE(missing.empty()) << lines(missing) << hint;
}

TEST_F(ReferenceTexts, describe_every_field_and_give_an_example) {
  std::vector<std::string> missing;
  for (const auto [type, schema] : object(document["components"]["schemas"])) {
    if (!has(schema, "description")) missing.push_back(fmt::format("{}: no description", type));
    for (const auto [name, property] : object(schema["properties"])) {
      for (const char* key : {"description", "examples"}) {
        if (!has(property, key)) missing.push_back(fmt::format("{}.{}: no {}", type, name, key));
      }
    }
  }
  EXPECT_TRUE(missing.empty()) << lines(missing) << hint;
}

TEST_F(ReferenceTexts, describe_nothing_that_does_not_exist) {
  std::set<std::string> operations;
  for (const api::Route& route : server.routes()) {
    operations.insert(fmt::format("{} {}", to_string(route.method), route.path));
  }
  std::vector<std::string> unknown;
  for (const std::string_view file : api::reference_files()) {
    simdjson::dom::parser file_parser;
    const element reference = file_parser.parse(simdjson::padded_string(file)).value();
    object members;
    if (reference["operations"].get(members) == SUCCESS) {
      for (const auto [name, texts] : members) {
        if (!operations.contains(std::string(name))) unknown.push_back(std::string(name));
      }
    }
    if (reference["types"].get(members) != SUCCESS) continue;
    for (const auto [names, fields] : members) {
      std::set<std::string> known;
      std::stringstream list{std::string(names)};
      for (std::string name; std::getline(list >> std::ws, name, ',');) {
        if (name.ends_with('*')) known.insert("*");
        element schema;
        if (known.contains("*") || document["components"]["schemas"][name].get(schema) != SUCCESS) {
          if (!known.contains("*")) unknown.push_back("type " + name);
          continue;
        }
        for (const auto [field, property] : object(schema["properties"])) known.emplace(field);
      }
      for (const auto [field, note] : object(fields)) {
        if (!field.empty() && !known.contains("*") && !known.contains(std::string(field))) {
          unknown.push_back(fmt::format("{}: {}", names, field));
        }
      }
    }
  }
  EXPECT_TRUE(unknown.empty()) << lines(unknown);
}

// Collects the codes of the failures that the sources make.
std::set<std::string> codes_in_sources() {
  namespace fs = std::filesystem;
  const std::regex makers(
      R"re((?:bad_request|forbidden|conflict|error_reply|Failure)\((?:\d+, |Failure::Kind::\w+,\s*)?\s*"([A-Z][A-Z_]+)")re");
  const std::regex constructors(R"re(Failure::Kind::\w+,\s*"([A-Z][A-Z_]+)")re");
  std::set<std::string> codes;
  for (const auto& entry : fs::recursive_directory_iterator(SOURCE_DIR "/src")) {
    const std::string path = entry.path();
    if (path.starts_with(SOURCE_DIR "/src/sandbox/")) continue;  // its control interface is no part of the API
    if ((!path.ends_with(".cpp") && !path.ends_with(".h")) || path.ends_with("_test.cpp")) continue;
    std::stringstream file;
    file << std::ifstream(path).rdbuf();
    const std::string source = file.str();
    for (const std::regex* pattern : {&makers, &constructors}) {
      for (std::sregex_iterator match(source.begin(), source.end(), *pattern), end; match != end; ++match) {
        codes.insert((*match)[1]);
      }
    }
  }
  return codes;
}

TEST_F(ReferenceTexts, list_every_error_code) {
  std::set<std::string> described;
  for (const element code :
       simdjson::dom::array(document.at_pointer("/components/schemas/Error/properties/code/enum"))) {
    described.emplace(std::string_view(code));
  }
  const std::set<std::string> made = codes_in_sources();
  EXPECT_GT(made.size(), 50u);
  std::vector<std::string> missing;
  std::set_difference(made.begin(), made.end(), described.begin(), described.end(), std::back_inserter(missing));
  EXPECT_TRUE(missing.empty()) << lines(missing) << hint;
}

// Returns the first place where the two documents differ, or an empty text. clients/openapi.json has neither the
// version nor the code samples.
std::string first_difference(element made, element kept, const std::string& place = "") {
  object members, kept_members;
  if (made.get(members) == SUCCESS && kept.get(kept_members) == SUCCESS) {
    for (const auto [key, member] : members) {
      const std::string inner = fmt::format("{}/{}", place, key);
      if (key == "x-codeSamples" || inner == "/info/version") continue;
      element other;
      if (kept_members[key].get(other) != SUCCESS) return inner;
      if (const std::string found = first_difference(member, other, inner); !found.empty()) return found;
    }
    for (const auto [key, member] : kept_members) {
      if (members[key].error() != SUCCESS) return fmt::format("{}/{}", place, key);
    }
    return "";
  }
  simdjson::dom::array items, kept_items;
  if (made.get(items) == SUCCESS && kept.get(kept_items) == SUCCESS && items.size() == kept_items.size()) {
    for (std::size_t i = 0; i < items.size(); ++i) {
      const std::string found = first_difference(items.at(i), kept_items.at(i), fmt::format("{}/{}", place, i));
      if (!found.empty()) return found;
    }
    return "";
  }
  return simdjson::minify(made) == simdjson::minify(kept) ? "" : place;
}

TEST_F(ReferenceTexts, are_those_that_clients_are_generated_from) {
  simdjson::dom::parser file_parser;
  const element kept = file_parser.load(SOURCE_DIR "/clients/openapi.json").value();
  EXPECT_EQ(first_difference(document, kept), "") << "clients/openapi.json is stale: run script/openapi";
}

}  // namespace
}  // namespace guildhall
