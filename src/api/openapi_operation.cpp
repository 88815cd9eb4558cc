#include "api/openapi_operation.h"

#include <algorithm>
#include <fmt/format.h>
#include <simdjson.h>
#include <stdexcept>
#include <vector>

#include "api/code_samples.h"
#include "api/openapi_components.h"
#include "base/function_ref.h"
#include "base/json_writer.h"

namespace guildhall::api {
namespace {

constexpr const char* path_parameter_schema = R"({"type":"string"})";

// Returns the path of a route with the results of `replace` in the places of its parameters. `replace` is called with
// the name of each parameter, in their order.
std::string with_parameters(std::string_view path, FunctionRef<std::string(const std::string& name)> replace) {
  std::string out;
  while (!path.empty()) {
    path.remove_prefix(1);
    const std::string_view segment = path.substr(0, path.find('/'));
    path.remove_prefix(segment.size());
    out += '/';
    if (segment.starts_with(':')) {
      out += replace(std::string(segment.substr(1)));
    } else {
      out += segment;
    }
  }
  return out;
}

std::vector<std::string> parameter_names(std::string_view path) {
  std::vector<std::string> names;
  with_parameters(path, [&](const std::string& name) {
    names.push_back(name);
    return name;
  });
  return names;
}

// The schema of a query parameter, which is absent but never null.
std::string without_null(std::string schema) {
  constexpr std::string_view start = R"({"anyOf":[)", end = R"(,{"type":"null"}]})";
  if (!schema.starts_with(start) || !schema.ends_with(end)) return schema;
  return schema.substr(start.size(), schema.size() - start.size() - end.size());
}

// Order of {"$ref":"#/components/schemas/Order"}; empty for other schemas.
std::string type_of(std::string_view schema) {
  constexpr std::string_view start = R"({"$ref":"#/components/schemas/)", end = R"("})";
  if (!schema.starts_with(start) || !schema.ends_with(end)) return "";
  return std::string(schema.substr(start.size(), schema.size() - start.size() - end.size()));
}

bool is_list(const std::string& schema) {
  simdjson::dom::parser parser;
  std::string_view type;
  return parser.parse(schema)["type"].get(type) == simdjson::SUCCESS && type == "array";
}

std::string description_in(const std::string& schema) {
  simdjson::dom::parser parser;
  std::string_view text;
  return parser.parse(schema)["description"].get(text) == simdjson::SUCCESS ? std::string(text) : "";
}

class Operation {
 public:
  Operation(const Route& route, const OperationSources& sources)
      : route_(route),
        texts_(texts_of(route, sources.reference)),
        reference_(sources.reference),
        schemas_(sources.schemas),
        schema_(sources.schema),
        base_url_(sources.base_url) {}

  std::string text() const {
    return json::write_object([&](json::ObjectWriter& operation) {
      if (!texts_.id.empty()) operation.add("operationId", texts_.id);
      if (!texts_.tag.empty()) operation.add("tags", json::array({texts_.tag}));
      operation.add("summary", route_.summary);
      if (!texts_.description.empty()) operation.add("description", description());
      operation.add("x-access", to_string(route_.access));
      add_security(operation);
      add_parameters(operation);
      add_body(operation);
      add_responses(operation);
      if (!takes_message() && !route_.form) operation.key("x-codeSamples") += samples();
    });
  }

 private:
  bool writes() const { return route_.method != Method::get && route_.method != Method::head; }
  // A webhook of another party: signed, and of any content type.
  bool takes_message() const { return route_.raw_body && route_.media_types.empty(); }
  bool has_parameter() const { return route_.path.find(':') != std::string::npos; }
  bool takes_key() const { return writes() && route_.tenant_scoped() && texts_.repeatable; }
  bool takes_if_match() const {
    return writes() && texts_.versioned && (route_.method != Method::post || has_parameter());
  }
  bool is_counted() const { return route_.limit || route_.counts_callers() || texts_.counts_itself; }
  // Whether a code that the reference names for the operation has this status.
  bool has_error_of(int status) const {
    return std::any_of(texts_.errors.begin(), texts_.errors.end(), [&](const std::string& code) {
      const auto note = reference_.errors().find(code);
      return note != reference_.errors().end() && note->second.example == std::to_string(status);
    });
  }

  std::string description() const {
    std::string out = texts_.description;
    if (route_.tenant_scoped()) out += fmt::format("\n\nNeeds the permission `{}`.", to_string(route_.access));
    if (route_.needs_session() && !route_.admits_tokens()) out += "\n\nNeeds a session; a token cannot use it.";
    if (texts_.errors.empty()) return out;
    out += "\n\nBesides the errors that every operation has:\n";
    for (const std::string& code : texts_.errors) {
      const auto note = reference_.errors().find(code);
      if (note == reference_.errors().end()) throw std::logic_error("reference.json: unknown error code " + code);
      out += fmt::format("\n- `{}` ({}): {}", code, note->second.example, note->second.description);
    }
    return out;
  }

  void add_security(json::ObjectWriter& operation) const {
    json::ArrayWriter security(operation.key("security"));
    if (route_.access == Access::open) return;
    if (!route_.needs_session()) security.add(json::object({}));
    security.add(json::object({{"session", json::array({})}}));
    if (route_.admits_tokens()) security.add(json::object({{"token", json::array({})}}));
  }

  // The type of a filter describes it best, unless the operation itself has a text.
  std::string parameter_description(const std::string& name, const std::string& schema) const {
    if (const auto own = texts_.parameters.find(name); own != texts_.parameters.end()) return own->second.description;
    const std::string of_type = description_in(schema);
    const Reference::Note* shared = reference_.parameter(name);
    return shared == nullptr || !of_type.empty() ? of_type : shared->description;
  }

  std::string parameter_example(const std::string& name, const std::string& schema) const {
    const auto own = texts_.parameters.find(name);
    if (own != texts_.parameters.end() && !own->second.example.empty()) return own->second.example;
    if (const auto of_type = schemas_.example(schema)) return *of_type;
    const Reference::Note* shared = reference_.parameter(name);
    if (shared == nullptr || shared->example.empty()) shared = reference_.field({}, name);
    return shared != nullptr ? shared->example : "";
  }

  json::Value parameter(const std::string& name, std::string_view place, bool required,
                        const std::string& schema) const {
    const std::string description = parameter_description(name, schema);
    const std::string example = parameter_example(name, schema);
    return json::verbatim(json::write_object([&](json::ObjectWriter& out) {
      out.add("name", name);
      out.add("in", place);
      out.add("required", required);
      if (!description.empty()) out.add("description", description);
      if (place == "query" && is_list(schema)) {  // a=1,2; a=1&a=2 is accepted as well
        out.add("style", "form");
        out.add("explode", false);
      } else if (schema.starts_with(R"({"type":"object")")) {
        out.add("style", "deepObject");
        out.add("explode", true);
      }
      out.key("schema") += schema;
      if (!example.empty()) out.key("example") += example;
    }));
  }

  void add_parameters(json::ObjectWriter& operation) const {
    json::ArrayWriter list(operation.key("parameters"));
    for (const std::string& name : parameter_names(route_.path)) {
      if (texts_.fixed.contains(name)) continue;
      list.add(parameter(name, "path", true, path_parameter_schema));
    }
    for (const Field& field : route_.query) {
      const std::string schema = without_null(schema_text(field.schema, schema_));
      list.add(parameter(std::string(field.key), "query", field.required, schema));
    }
    if (route_.access == Access::data_read || route_.access == Access::data_write) {
      list.add(referred("parameters", "x-tenant-id"));
    }
    if (route_.tenant_scoped()) list.add(referred("parameters", "Guildhall-Version"));
    if (takes_key()) list.add(referred("parameters", "Idempotency-Key"));
    if (takes_if_match()) list.add(referred("parameters", "If-Match"));
    if (!writes() && texts_.versioned) list.add(referred("parameters", "If-None-Match"));
    if (!route_.raw_body) list.add(referred("parameters", "Prefer"));
  }

  std::string body_example() const {
    if (route_.body == nullptr) return "";
    if (!texts_.body_example.empty()) return texts_.body_example;
    return schemas_.body_example(schema_text(route_.body, schema_)).value_or("");
  }

  void add_body(json::ObjectWriter& operation) const {
    const auto add = [&](bool required, std::string_view media_type, const std::string& schema,
                         const std::string& example) {
      json::ObjectWriter body(operation.key("requestBody"));
      body.add("required", required);
      json::ObjectWriter content(body.key("content"));
      json::ObjectWriter media(content.key(media_type));
      media.key("schema") += schema;
      if (!example.empty()) media.key("example") += example;
    };
    if (route_.body != nullptr) add(true, "application/json", schema_text(route_.body, schema_), body_example());
    if (!route_.media_types.empty()) {
      add_bytes(operation);
    } else if (route_.raw_body) {
      add(true, "application/json", R"({"description":"The message as its sender wrote and signed it."})", "{}");
    }
    if (route_.form) add(false, "application/x-www-form-urlencoded", R"({"type":"object"})", "");
  }

  void add_bytes(json::ObjectWriter& operation) const {
    json::ObjectWriter body(operation.key("requestBody"));
    body.add("required", true);
    json::ObjectWriter content(body.key("content"));
    for (const std::string_view type : route_.media_types) {
      content.add(type, json::object({{"schema", json::object({{"type", "string"}, {"contentMediaType", type}})}}));
    }
  }

  void add_success_headers(json::ObjectWriter& response, int status) const {
    json::ObjectWriter headers(response.key("headers"));
    const auto add = [&](std::string_view name) { headers.add(name, referred("headers", name)); };
    add("x-request-id");
    add("Guildhall-Version");
    if (route_.has_deprecated_fields) {
      add("Deprecation");
      add("Sunset");
    }
    if (status >= 300) add("Location");
    if (texts_.sets_cookie) add("Set-Cookie");
    if (texts_.versioned && status != 204) add("ETag");
    if (takes_key()) add("Idempotent-Replayed");
    if (!route_.raw_body) add("Preference-Applied");
    if (route_.body != nullptr) add("Ignored-Fields");
    if (is_counted()) {
      for (const std::string_view name : {"RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"}) add(name);
    }
  }

  bool may_answer(int status) const {
    if (has_error_of(status)) return true;
    switch (status) {
      case 304:
        return !writes() && texts_.versioned;
      case 401:
        return route_.needs_session() || takes_message();
      case 403:
        return route_.needs_session() || writes();  // requests from other sites change nothing
      case 404:
        return has_parameter();
      case 409:
        return takes_key();
      case 412:
        return takes_if_match();
      case 413:
        return route_.body != nullptr || route_.raw_body || route_.form;
      case 415:
        return route_.body != nullptr || !route_.media_types.empty();
      case 429:
        return is_counted();
      default:
        return true;
    }
  }

  // Invoice pages answer with HTML, errors too.
  bool answers_json() const { return route_.path.starts_with("/api/") || route_.path.starts_with("/auth/"); }

  void add_content(json::ObjectWriter& response, const Outcome& outcome) const {
    if (outcome.schema == nullptr) {
      if (outcome.status < 400 || !answers_json()) return;
      const json::Value schema = json::object({{"schema", referred("schemas", "Error")}});
      response.add("content", json::object({{"application/json", schema}}));
      return;
    }
    json::ObjectWriter content(response.key("content"));
    {
      json::ObjectWriter media(content.key(outcome.media_type));
      media.key("schema") += schema_text(outcome.schema, schema_);
    }
    if (outcome.or_csv) content.key("text/csv") += R"({"schema":{"type":"string"}})";
  }

  // The replies that the route declares, then the errors that it may answer with besides them.
  void add_responses(json::ObjectWriter& operation) const {
    json::ObjectWriter responses(operation.key("responses"));
    for (const Outcome& outcome : route_.outcomes) {
      json::ObjectWriter response(responses.key(std::to_string(outcome.status)));
      response.add("description", outcome.meaning);
      if (outcome.status < 400) add_success_headers(response, outcome.status);
      add_content(response, outcome);
    }
    for (const ErrorReply& error : error_replies()) {
      const bool declared = std::any_of(route_.outcomes.begin(), route_.outcomes.end(),
                                        [&](const Outcome& outcome) { return outcome.status == error.status; });
      if (declared || !may_answer(error.status)) continue;
      responses.add(std::to_string(error.status), referred("responses", error.name));
    }
    responses.add("default", referred("responses", "Error"));
  }

  std::string samples() const {
    SampledCall call{.route = route_,
                     .path_template = described_path(route_, reference_),
                     .params = {},
                     .query = {},
                     .body = body_example(),
                     .is_list = false};
    for (const std::string& name : parameter_names(route_.path)) {
      if (texts_.fixed.contains(name)) continue;
      call.params.push_back({name, parameter_example(name, path_parameter_schema)});
    }
    for (const Field& field : route_.query) {
      if (!field.required) continue;
      const std::string name(field.key);
      call.query.push_back({name, parameter_example(name, without_null(schema_text(field.schema, schema_)))});
    }
    for (const Outcome& outcome : route_.outcomes) {
      if (outcome.schema == nullptr || outcome.status >= 300 || outcome.media_type != "application/json") continue;
      const std::string reply = type_of(schema_text(outcome.schema, schema_));
      call.is_list = reply.starts_with("PageOf") || reply.starts_with("ListPageOf");
    }
    return code_samples(call, base_url_);
  }

  const Route& route_;
  const Reference::Operation& texts_;
  const Reference& reference_;
  const DescribedSchemas& schemas_;
  Schema& schema_;
  std::string_view base_url_;
};

}  // namespace

const Reference::Operation& texts_of(const Route& route, const Reference& reference) {
  return reference.operation(fmt::format("{} {}", to_string(route.method), route.path));
}

std::string described_path(const Route& route, const Reference& reference) {
  const auto& fixed = texts_of(route, reference).fixed;
  return with_parameters(route.path, [&](const std::string& name) {
    const auto value = fixed.find(name);
    return value != fixed.end() ? value->second : fmt::format("{{{}}}", name);
  });
}

std::string describe_operation(const Route& route, const OperationSources& sources) {
  return Operation(route, sources).text();
}

}  // namespace guildhall::api
