#include "api/openapi.h"

namespace guildhall::api {
namespace {

std::string json_text(std::string_view text) {
  std::string out;
  json::append_string(out, text);
  return out;
}

void append_item(std::string& list, const std::string& item) {
  if (!list.empty()) list += ',';
  list += item;
}

// /api/data/customer/:id → /api/data/customer/{id}; the parameters' names are added to `names`.
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

std::string schema_text(SchemaOf schema_of, Schema& schema) {
  schema.out.clear();
  schema_of(schema);
  return std::exchange(schema.out, {});
}

std::string parameters_of(const Route& route, const std::vector<std::string>& path_names, Schema& schema) {
  std::string list;
  for (const std::string& name : path_names) {
    append_item(list, fmt::format(R"({{"name":{},"in":"path","required":true,"schema":{{"type":"string"}}}})",
                                  json_text(name)));
  }
  for (const Field& field : route.query) {
    append_item(list, fmt::format(R"({{"name":{},"in":"query","required":{},"schema":{}}})", json_text(field.key),
                                  field.required, schema_text(field.schema, schema)));
  }
  return list;
}

std::string responses_of(const Route& route, Schema& schema) {
  std::string list;
  for (const Outcome& outcome : route.outcomes) {
    std::string content;
    if (outcome.schema != nullptr) {
      content =
          fmt::format(R"(,"content":{{"application/json":{{"schema":{}}}}})", schema_text(outcome.schema, schema));
    }
    append_item(list,
                fmt::format(R"("{}":{{"description":{}{}}})", outcome.status, json_text(outcome.meaning), content));
  }
  append_item(list, R"("default":{"$ref":"#/components/responses/Error"})");
  return list;
}

std::string operation(const Route& route, const std::vector<std::string>& path_names, Schema& schema) {
  std::string out =
      fmt::format(R"({{"summary":{},"x-access":{})", json_text(route.summary), json_text(to_string(route.access)));
  if (route.access != Access::open) {
    out += fmt::format(R"(,"security":[{}{{"session":[]}}])", route.needs_session() ? "" : "{},");
  }
  std::string parameters = parameters_of(route, path_names, schema);
  if (!route.raw_body) append_item(parameters, R"({"$ref":"#/components/parameters/Prefer"})");
  if (!parameters.empty()) out += fmt::format(R"(,"parameters":[{}])", parameters);
  if (route.body != nullptr) {
    out += fmt::format(R"(,"requestBody":{{"required":true,"content":{{"application/json":{{"schema":{}}}}}}})",
                       schema_text(route.body, schema));
  }
  if (route.raw_body) out += R"(,"requestBody":{"required":true,"content":{"application/json":{"schema":{}}}})";
  if (route.form) {
    out +=
        R"(,"requestBody":{"required":false,"content":{"application/x-www-form-urlencoded":{"schema":{"type":"object"}}}})";
  }
  out += fmt::format(R"(,"responses":{{{}}}}})", responses_of(route, schema));
  return out;
}

std::string lower_case(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), [](char c) { return static_cast<char>(c | 0x20); });
  return out;
}

// The one shape of errors, and the two that the contract words differently (413, 429).
constexpr std::string_view error_components =
    R"("parameters":{"Prefer":{"name":"Prefer","in":"header","required":false,"schema":{"type":"string"},)"
    R"("description":"handling=strict: unknown body fields and query parameters are refused (RFC 7240)."}},)"
    R"("responses":{"Error":{"description":"What went wrong.","content":{"application/json":{"schema":{"type":"object",)"
    R"("properties":{"error":{"type":"string"},"code":{"type":"string"},"maxBytes":{"type":"integer"},)"
    R"("retryAfterSeconds":{"type":"integer"},"details":{"type":"array","items":{"type":"object","properties":)"
    R"({"field":{"type":"string"},"message":{"type":"string"}},"required":["field","message"]}}},)"
    R"("required":["error"]}}}}},"securitySchemes":{"session":{"type":"apiKey","in":"cookie","name":"service_auth"}})";

}  // namespace

std::string openapi_document(const std::vector<Route>& routes) {
  Schema schema;
  std::map<std::string, std::string> operations_by_path;
  for (const Route& route : routes) {
    std::vector<std::string> path_names;
    const std::string path = templated(route.path, path_names);
    append_item(operations_by_path[path],
                fmt::format(R"("{}":{})", lower_case(to_string(route.method)), operation(route, path_names, schema)));
  }
  std::string paths, schemas;
  for (const auto& [path, operations] : operations_by_path) {
    append_item(paths, fmt::format("{}:{{{}}}", json_text(path), operations));
  }
  for (const auto& [name, text] : schema.components) append_item(schemas, fmt::format("{}:{}", json_text(name), text));
  return fmt::format(
      R"({{"openapi":"3.1.0","info":{{"title":"Guildhall","version":"{}"}},"paths":{{{}}},"components":{{"schemas":{{{}}},{}}}}})",
      GUILDHALL_VERSION, paths, schemas, error_components);
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
