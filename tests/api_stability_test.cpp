// The API of the last release must still be there: what its clients send is accepted, and what they read is in the
// replies.
#include <fstream>
#include <simdjson.h>
#include <sstream>

#include "support/test_server.h"

namespace guildhall {
namespace {

using simdjson::SUCCESS, simdjson::dom::element;

// A document as the server gives it, or as tests/released_api.json has it. Both have schemas that refer to each other.
struct ApiDocument {
  explicit ApiDocument(std::string text) : text_(std::move(text)), root(parser_.parse(text_)) {}

  // Follows a reference, "#/components/schemas/Order" or only "Order".
  element resolved(element schema) const {
    std::string_view name;
    if (schema["$ref"].get(name) != SUCCESS) return schema;
    name.remove_prefix(name.find_last_of('/') + 1);
    element components;
    const bool whole = root["components"].get(components) == SUCCESS;
    return (whole ? components["schemas"] : root["schemas"])[name];
  }

 private:
  simdjson::dom::parser parser_;
  std::string text_;

 public:
  element root;
};

std::optional<element> member(element object, std::string_view key) {
  element found;
  if (!object.is_object() || object[key].get(found) != SUCCESS) return std::nullopt;
  return found;
}

std::vector<std::string> texts(element object, std::string_view key) {
  std::vector<std::string> found;
  const auto list = member(object, key);
  if (!list) return found;
  if (list->is_string()) return {std::string(std::string_view(*list))};
  for (const element each : simdjson::dom::array(*list)) found.emplace_back(std::string_view(each));
  return found;
}

bool contains_all(const std::vector<std::string>& all, const std::vector<std::string>& some) {
  return std::ranges::all_of(some, [&](const std::string& each) { return std::ranges::count(all, each) > 0; });
}

// Compares schemas of a released API with those of the present one, and collects what clients would notice.
class Comparison {
 public:
  Comparison(const ApiDocument& released, const ApiDocument& present) : released_(released), present_(present) {}

  enum class Use {
    sent,  // by clients: everything that was accepted must still be
    read,  // by clients: every field must still be there, with the same type
  };

  void compare(element before, element after, Use use, const std::string& where) {
    std::string_view name;
    if (before["$ref"].get(name) == SUCCESS && !seen_.insert({std::string(name), use}).second) return;
    before = released_.resolved(before);
    after = present_.resolved(after);
    compare_alternatives(before, after, use, where);
    compare_values(before, after, use, where);
    compare_fields(before, after, use, where);
    for (const char* inner : {"items", "additionalProperties"}) {
      const auto had = member(before, inner), has = member(after, inner);
      if (!had || !had->is_object()) continue;
      if (!has) {
        if (use == Use::read) broken.push_back(where + ": no type of elements any more");
      } else if (has->is_object()) {
        compare(*had, *has, use, where + "[]");
      }
    }
  }

  std::vector<std::string> broken;

 private:
  static std::vector<element> alternatives(element schema) {
    std::vector<element> found;
    if (const auto list = member(schema, "anyOf")) {
      for (const element each : simdjson::dom::array(*list)) found.push_back(each);
    } else {
      found.push_back(schema);
    }
    return found;
  }

  // Each alternative of what was accepted must have one that fits now; the same holds for what is read, whose new
  // alternatives clients must expect. Alternatives are compared in pairs by their kind.
  void compare_alternatives(element before, element after, Use use, const std::string& where) {
    if (!member(before, "anyOf") && !member(after, "anyOf")) return;
    for (const element had : alternatives(before)) {
      const std::string kind = kind_of(released_.resolved(had));
      const auto all = alternatives(after);
      const auto found =
          std::ranges::find_if(all, [&](element has) { return kind_of(present_.resolved(has)) == kind; });
      if (found == all.end()) {
        if (kind != "null" || use == Use::sent) broken.push_back(fmt::format("{}: no {} any more", where, kind));
      } else if (kind != "null") {
        compare(had, *found, use, where);
      }
    }
    if (use == Use::sent) return;
    for (const element has : alternatives(after)) {
      const std::string kind = kind_of(present_.resolved(has));
      const auto had = alternatives(before);
      const bool known =
          std::ranges::any_of(had, [&](element each) { return kind_of(released_.resolved(each)) == kind; });
      if (!known) broken.push_back(fmt::format("{}: can be {} now", where, kind));
    }
  }

  static std::string kind_of(element schema) {
    const auto types = texts(schema, "type");
    return types.empty() ? "any" : fmt::format("{}", fmt::join(types, "/"));
  }

  void compare_values(element before, element after, Use use, const std::string& where) {
    if (member(before, "anyOf") || member(after, "anyOf")) return;
    const auto had = texts(before, "type"), has = texts(after, "type");
    const bool same = use == Use::sent ? has.empty() || contains_all(has, had) : had.empty() || contains_all(had, has);
    if (!same) broken.push_back(fmt::format("{}: was {}, is {}", where, fmt::join(had, "/"), fmt::join(has, "/")));
    if (use == Use::read) return;  // a client must expect new values
    const auto values = texts(after, "enum");
    if (!values.empty() && (!member(before, "enum") || !contains_all(values, texts(before, "enum")))) {
      broken.push_back(where + ": values are not accepted any more");
    }
    for (const auto& [limit, rises] : {std::pair("maxLength", false),
                                       {"maximum", false},
                                       {"maxItems", false},
                                       {"minLength", true},
                                       {"minimum", true},
                                       {"minItems", true}}) {
      const auto old_limit = member(before, limit), new_limit = member(after, limit);
      if (!new_limit) continue;
      const double fresh = number(*new_limit);
      if (!old_limit || (rises ? fresh > number(*old_limit) : fresh < number(*old_limit))) {
        broken.push_back(fmt::format("{}: {} is narrower", where, limit));
      }
    }
  }

  static double number(element value) {
    std::int64_t integer = 0;
    return value.get(integer) == SUCCESS ? static_cast<double>(integer) : double(value);
  }

  void compare_fields(element before, element after, Use use, const std::string& where) {
    const auto required = texts(after, "required"), was_required = texts(before, "required");
    if (use == Use::sent && !contains_all(was_required, required))
      broken.push_back(where + ": a field is required now");
    if (use == Use::read && !contains_all(required, was_required)) {
      broken.push_back(where + ": a field can be absent now");
    }
    const auto fields = member(before, "properties");
    if (!fields) return;
    for (const auto& [key, had] : simdjson::dom::object(*fields)) {
      const auto properties = member(after, "properties");
      const auto has = properties ? member(*properties, key) : std::nullopt;
      const std::string inside = fmt::format("{}.{}", where, key);
      if (!has) {
        broken.push_back(inside + " is gone");
      } else {
        compare(had, *has, use, inside);
      }
    }
  }

  const ApiDocument& released_;
  const ApiDocument& present_;
  std::set<std::pair<std::string, Use>> seen_;
};

std::string file_text(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

// The parameters of an operation of the present document, by place and name.
std::map<std::string, element> parameters_of(const ApiDocument& document, element operation) {
  std::map<std::string, element> found;
  const auto list = member(operation, "parameters");
  if (!list) return found;
  for (element each : simdjson::dom::array(*list)) {
    std::string_view reference;
    if (each["$ref"].get(reference) == SUCCESS) {
      reference.remove_prefix(reference.find_last_of('/') + 1);
      each = document.root["components"]["parameters"][reference];
    }
    found.emplace(fmt::format("{} {}", std::string_view(each["in"]), std::string_view(each["name"])), each);
  }
  return found;
}

void compare_operation(Comparison& comparison, const ApiDocument& document, element before, element after,
                       const std::string& name) {
  using Use = Comparison::Use;
  const auto parameters = parameters_of(document, after);
  const auto known = member(before, "parameters");
  for (const auto& [parameter, now_there] : parameters) {
    const auto was = known ? member(*known, parameter) : std::nullopt;
    if (bool(now_there["required"]) && !(was && bool((*was)["required"]))) {
      comparison.broken.push_back(fmt::format("{}: {} is required now", name, parameter));
    }
  }
  if (known) {
    for (const auto& [parameter, was] : simdjson::dom::object(*known)) {
      const auto found = parameters.find(std::string(parameter));
      const std::string where = fmt::format("{}: {}", name, parameter);
      if (found == parameters.end()) {
        comparison.broken.push_back(where + " is gone");
      } else {
        comparison.compare(was["schema"], found->second["schema"], Use::sent, where);
      }
    }
  }
  if (const auto body = member(before, "body")) {
    for (const auto& [type, schema] : simdjson::dom::object((*body)["schemas"])) {
      element now_taken;
      if (after["requestBody"]["content"][type]["schema"].get(now_taken) != SUCCESS) {
        comparison.broken.push_back(fmt::format("{}: does not take {} any more", name, type));
      } else {
        comparison.compare(schema, now_taken, Use::sent, name + " body");
      }
    }
  }
  for (const auto& [status, contents] : simdjson::dom::object(before["replies"])) {
    element reply;
    if (after["responses"][status].get(reply) != SUCCESS) {
      comparison.broken.push_back(fmt::format("{}: never answers {} any more", name, status));
      continue;
    }
    for (const auto& [type, schema] : simdjson::dom::object(contents)) {
      element given;
      if (reply["content"][type]["schema"].get(given) != SUCCESS) {
        comparison.broken.push_back(fmt::format("{}: {} is no {} any more", name, status, type));
      } else {
        comparison.compare(schema, given, Use::read, fmt::format("{} {}", name, status));
      }
    }
  }
}

std::vector<std::string> broken_promises(const ApiDocument& released, const ApiDocument& present) {
  Comparison comparison(released, present);
  for (const auto& [name, operation] : simdjson::dom::object(released.root["operations"])) {
    const std::size_t space = name.find(' ');
    std::string method(name.substr(0, space));
    std::ranges::transform(method, method.begin(), [](char c) { return static_cast<char>(c | 0x20); });
    element now_there;
    if (present.root["paths"][name.substr(space + 1)][method].get(now_there) != SUCCESS) {
      comparison.broken.push_back(std::string(name) + " is gone");
    } else {
      compare_operation(comparison, present, operation, now_there, std::string(name));
    }
  }
  return comparison.broken;
}

TEST(ApiStability, what_the_last_release_has_promised_still_holds) {
  test::TestServer server(test::Engine::sqlite, {{"PLATFORM_BILLING_ENABLED", "true"}});
  const ApiDocument released(file_text(SOURCE_DIR "/tests/released_api.json"));
  const ApiDocument present(server.client().get("/openapi.json").body);
  EXPECT_GT(simdjson::dom::object(released.root["operations"]).size(), 190u);
  for (const std::string& broken : broken_promises(released, present)) ADD_FAILURE() << broken;
}

TEST(ApiStability, a_change_that_clients_would_notice_is_found) {
  const auto operation = [](const std::string& fields, const std::string& required, const std::string& parameter) {
    return std::pair(
        fmt::format(R"({{"operations":{{"POST /a":{{"parameters":{{"query p":{{"required":false,"schema":{}}}}},)"
                    R"("body":{{"schemas":{{"application/json":{{"$ref":"A"}}}}}},)"
                    R"("replies":{{"200":{{"application/json":{{"$ref":"A"}}}}}}}}}},)"
                    R"("schemas":{{"A":{{"type":"object","properties":{{{}}},"required":[{}]}}}}}})",
                    parameter, fields, required),
        fmt::format(
            R"({{"paths":{{"/a":{{"post":{{"parameters":[{{"in":"query","name":"p","required":false,"schema":{}}}],)"
            R"("requestBody":{{"content":{{"application/json":{{"schema":{{"$ref":"#/components/schemas/A"}}}}}}}},)"
            R"("responses":{{"200":{{"content":{{"application/json":{{"schema":{{"$ref":"#/components/schemas/A"}}}}}}}}}}}}}}}},)"
            R"("components":{{"schemas":{{"A":{{"type":"object","properties":{{{}}},"required":[{}]}}}}}}}})",
            parameter, fields, required));
  };
  const std::string fields = R"("a":{"type":"string","enum":["x","y"]},"b":{"type":"integer","maximum":9})";
  const std::string text = R"({"type":"string"})";
  const ApiDocument released(operation(fields, R"("a")", text).first);
  const auto broken = [&](const std::string& now_fields, const std::string& required, const std::string& parameter) {
    const ApiDocument present(operation(now_fields, required, parameter).second);
    return broken_promises(released, present);
  };
  EXPECT_EQ(broken(fields, R"("a")", text), std::vector<std::string>{});
  EXPECT_EQ(broken(fields + R"(,"c":{"type":"string"})", R"("a")", text), std::vector<std::string>{})
      << "additions are";
  EXPECT_FALSE(broken(R"("a":{"type":"string","enum":["x","y"]})", R"("a")", text).empty()) << "a field is gone";
  EXPECT_FALSE(broken(fields, R"("a","b")", text).empty()) << "a field is required";
  EXPECT_FALSE(broken(fields, "", text).empty()) << "a field of the reply may be absent";
  EXPECT_FALSE(
      broken(R"("a":{"type":"string","enum":["x"]},"b":{"type":"integer","maximum":9})", R"("a")", text).empty());
  EXPECT_FALSE(
      broken(R"("a":{"type":"string","enum":["x","y"]},"b":{"type":"integer","maximum":8})", R"("a")", text).empty());
  EXPECT_FALSE(broken(R"("a":{"type":"string","enum":["x","y"]},"b":{"type":"string"})", R"("a")", text).empty());
  EXPECT_FALSE(broken(fields, R"("a")", R"({"type":"integer"})").empty()) << "a parameter has another type";
}

}  // namespace
}  // namespace guildhall
