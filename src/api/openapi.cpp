#include "api/openapi.h"

namespace guildhall::api {
namespace {

// Converts /api/data/customer/:id to /api/data/customer/{id} and adds the names of the parameters to `names`.
std::string templated(std::string_view path, std::vector<std::string>& names) {
  std::string out;
  while (!path.empty()) {
    path.remove_prefix(1);
    const std::string_view segment = path.substr(0, path.find('/'));
    path.remove_prefix(segment.size());
    if (segment.starts_with(':')) {
      names.emplace_back(segment.substr(1));
      out += fmt::format("/{{{}}}", names.back());
    } else {
      out.append("/").append(segment);
    }
  }
  return out;
}

json::Value schema_text(SchemaOf schema_of, Schema& schema) {
  schema.out.clear();
  schema_of(schema);
  return json::verbatim(std::exchange(schema.out, {}));
}

// The `{"application/json":{"schema":…}}` of a body or of a response.
json::Value content_of(std::string_view media_type, const json::Value& schema) {
  return json::object({{media_type, json::object({{"schema", schema}})}});
}

void add_parameters(json::ObjectWriter& operation, const Route& route, const std::vector<std::string>& path_names,
                    Schema& schema) {
  if (path_names.empty() && route.query.empty() && route.raw_body) return;
  json::ArrayWriter list(operation.key("parameters"));
  for (const std::string& name : path_names) {
    const json::Value text = json::object({{"type", "string"}});
    list.add(json::object({{"name", name}, {"in", "path"}, {"required", true}, {"schema", text}}));
  }
  for (const Field& field : route.query) {
    list.add(json::object({{"name", field.key},
                           {"in", "query"},
                           {"required", field.required},
                           {"schema", schema_text(field.schema, schema)}}));
  }
  if (!route.raw_body) list.add(json::object({{"$ref", "#/components/parameters/Prefer"}}));
}

void add_body(json::ObjectWriter& operation, const Route& route, Schema& schema) {
  const auto add = [&](bool required, const json::Value& content) {
    operation.add("requestBody", json::object({{"required", required}, {"content", content}}));
  };
  if (route.body != nullptr) add(true, content_of("application/json", schema_text(route.body, schema)));
  if (!route.media_types.empty()) {
    add(true, json::verbatim(json::write_object([&](json::ObjectWriter& content) {
          for (const std::string_view type : route.media_types) {
            const json::Value bytes = json::object({{"type", "string"}, {"contentMediaType", type}});
            content.add(type, json::object({{"schema", bytes}}));
          }
        })));
  } else if (route.raw_body) {
    add(true, content_of("application/json", json::object({})));
  }
  if (route.form) add(false, content_of("application/x-www-form-urlencoded", json::object({{"type", "object"}})));
}

void add_responses(json::ObjectWriter& operation, const Route& route, Schema& schema) {
  json::ObjectWriter responses(operation.key("responses"));
  for (const Outcome& outcome : route.outcomes) {
    json::ObjectWriter response(responses.key(std::to_string(outcome.status)));
    response.add("description", outcome.meaning);
    if (outcome.schema == nullptr) continue;
    response.add("content", content_of(outcome.media_type, schema_text(outcome.schema, schema)));
  }
  responses.add("default", json::object({{"$ref", "#/components/responses/Error"}}));
}

std::string operation_of(const Route& route, const std::vector<std::string>& path_names, Schema& schema) {
  return json::write_object([&](json::ObjectWriter& operation) {
    operation.add("summary", route.summary);
    operation.add("x-access", to_string(route.access));
    if (route.access != Access::open) {
      json::ArrayWriter security(operation.key("security"));
      if (!route.needs_session()) security.add(json::object({}));
      security.add(json::object({{"session", json::array({})}}));
    }
    add_parameters(operation, route, path_names, schema);
    add_body(operation, route, schema);
    add_responses(operation, route, schema);
  });
}

std::string lower_case(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), [](char c) { return static_cast<char>(c | 0x20); });
  return out;
}

// The schema of all error bodies, including the members that only 413 and 429 have.
constexpr std::pair<std::string_view, std::string_view> error_components[] = {
    {"parameters",
     R"({"Prefer":{"name":"Prefer","in":"header","required":false,"schema":{"type":"string"},)"
     R"("description":"handling=strict: unknown body fields and query parameters are refused (RFC 7240)."}})"},
    {"responses",
     R"({"Error":{"description":"What went wrong.","content":{"application/json":{"schema":{"type":"object",)"
     R"("properties":{"error":{"type":"string"},"code":{"type":"string"},"maxBytes":{"type":"integer"},)"
     R"("retryAfterSeconds":{"type":"integer"},"details":{"type":"array","items":{"type":"object","properties":)"
     R"({"field":{"type":"string"},"message":{"type":"string"}},"required":["field","message"]}}},)"
     R"("required":["error"]}}}}})"},
    {"securitySchemes", R"({"session":{"type":"apiKey","in":"cookie","name":"service_auth"}})"},
};

}  // namespace

std::string openapi_document(const std::vector<Route>& routes) {
  Schema schema;
  std::map<std::string, std::vector<std::pair<std::string, std::string>>> operations_by_path;
  for (const Route& route : routes) {
    std::vector<std::string> path_names;
    const std::string path = templated(route.path, path_names);
    operations_by_path[path].emplace_back(lower_case(to_string(route.method)), operation_of(route, path_names, schema));
  }
  return json::write_object([&](json::ObjectWriter& document) {
    document.add("openapi", "3.1.0");
    document.add("info", json::object({{"title", "Guildhall"}, {"version", GUILDHALL_VERSION}}));
    {
      json::ObjectWriter paths(document.key("paths"));
      for (const auto& [path, operations] : operations_by_path) {
        json::ObjectWriter methods(paths.key(path));
        for (const auto& [method, operation] : operations) methods.key(method) += operation;
      }
    }
    json::ObjectWriter components(document.key("components"));
    {
      json::ObjectWriter schemas(components.key("schemas"));
      for (const auto& [name, text] : schema.components) schemas.key(name) += text;
    }
    for (const auto& [key, text] : error_components) components.key(key) += text;
  });
}

void add_description_routes(std::vector<Route>& routes) {
  const auto page = std::make_shared<std::string>();
  const auto document = std::make_shared<std::string>();
  routes.push_back(Route{
      Method::get, "/openapi.json", Access::open, "This API as OpenAPI 3.1", [document](Call&) -> Task<Reply> {
        co_return Reply{.body = *document};
      }}.gives(200, "The document."));
  routes.push_back(Route{
      Method::get, "/docs", Access::open, "This API for people", [page](Call&) -> Task<Reply> {
        co_return Reply{.content_type = "text/html; charset=utf-8", .body = *page}.with(
            "Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'");
      }}.gives(200, "The page."));
  *document = openapi_document(routes);
  *page = docs_page(routes);
}

}  // namespace guildhall::api
