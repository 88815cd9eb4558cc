#include "api/openapi.h"

#include <mutex>

#include "api/code_samples.h"
#include "api/described_schemas.h"
#include "base/crypto.h"
#include "base/encoding.h"

namespace guildhall::api {
namespace {

// A reply that operations share: every reply with an error has the same body.
struct ErrorReply {
  int status;
  std::string_view name;
  std::string_view description;
  std::string_view example;
};

constexpr ErrorReply error_replies[] = {
    {400, "BadRequest", "The request is wrong. `details` names every wrong field.",
     R"({"error":"The request has invalid fields.","code":"VALIDATION_FAILED",)"
     R"("details":[{"field":"items[0].quantity","message":"must be an integer from 1 to 1000000"}]})"},
    {401, "Unauthenticated", "There is no valid session or token, or the signature of a webhook is wrong.",
     R"({"error":"There is no active session.","code":"UNAUTHENTICATED"})"},
    {403, "Forbidden", "The caller does not hold the permission that this operation needs, or means another tenant.",
     R"({"error":"This needs the permission data.write.","code":"PERMISSION_DENIED"})"},
    {404, "NotFound", "The tenant has no such record. A record of another tenant gives the same answer.",
     R"({"error":"Order not found.","code":"NOT_FOUND"})"},
    {409, "Conflict", "The state of the record, or another record, does not allow it.",
     R"({"error":"This Idempotency-Key was used with another body.","code":"IDEMPOTENCY_KEY_REUSED"})"},
    {412, "PreconditionFailed", "The record has changed since the version that `If-Match` names. Read it again.",
     R"({"error":"The record has changed since it was read.","code":"PRECONDITION_FAILED"})"},
    {413, "PayloadTooLarge", "The body is larger than `maxBytes`.",
     R"({"error":"Payload Too Large","maxBytes":262144})"},
    {415, "UnsupportedMediaType", "The body must have the content type application/json.",
     R"({"error":"The body must be application/json.","code":"UNSUPPORTED_MEDIA_TYPE"})"},
    {429, "TooManyRequests", "A rate limit is exceeded. Try again after `retryAfterSeconds`.",
     R"({"error":"Too Many Requests","retryAfterSeconds":60})"},
    {503, "Unavailable", "The server cannot serve the request at present. The outcome of a write may be unknown.",
     R"({"error":"The database does not answer.","code":"UNAVAILABLE"})"},
};

constexpr std::string_view request_headers[] = {"Prefer", "Idempotency-Key", "If-Match", "If-None-Match",
                                                "x-tenant-id"};
constexpr std::string_view reply_headers[] = {
    "x-request-id", "ETag",  "RateLimit-Limit",    "RateLimit-Remaining", "RateLimit-Reset",
    "Retry-After",  "Allow", "Preference-Applied", "Idempotent-Replayed"};

constexpr std::string_view introduction =
    R"(Guildhall sells for chat communities: every chat server is a shop, and every shop is a tenant with its own records.

**Sign-in.** People sign in with `POST /auth/{provider}/login` or at a provider, and then have a session cookie. Programs send an API token as `Authorization: Bearer`. Every operation names the permission that it needs.

**Values.** Ids are opaque text. Times are UTC in RFC 3339. Money is an integer in the minor unit of its currency: 1500 with `USD` is 15.00 USD, with `JPY` it is 1500 JPY.

**Lists** come in pages. A page has a `nextCursor`; send it as `cursor` to get the next page. It is null on the last one.

**Safe repetition.** A write with an `Idempotency-Key` has its effect once, however often it is sent within a day.

**Versions.** A record comes with an `ETag`. A change with `If-Match` fails with 412 if somebody else changed the record in between.

**Misspelt fields.** With `Prefer: handling=strict` an unknown field or parameter is an error that names it; without it, it is ignored.)";

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

json::Value referred(std::string_view section, std::string_view name) {
  return json::object({{"$ref", fmt::format("#/components/{}/{}", section, name)}});
}

std::string schema_text(SchemaOf schema_of, Schema& schema) {
  schema.out.clear();
  schema_of(schema);
  return std::exchange(schema.out, {});
}

// The schema of a query parameter, which is absent but never null.
std::string without_null(std::string schema) {
  constexpr std::string_view start = R"({"anyOf":[)", end = R"(,{"type":"null"}]})";
  if (!schema.starts_with(start) || !schema.ends_with(end)) return schema;
  return schema.substr(start.size(), schema.size() - start.size() - end.size());
}

std::string lower_case(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), [](char c) { return static_cast<char>(c | 0x20); });
  return out;
}

// Order of {"$ref":"#/components/schemas/Order"}; empty for other schemas.
std::string type_of(std::string_view schema) {
  constexpr std::string_view start = R"({"$ref":"#/components/schemas/)", end = R"("})";
  if (!schema.starts_with(start) || !schema.ends_with(end)) return "";
  return std::string(schema.substr(start.size(), schema.size() - start.size() - end.size()));
}

std::string description_in(const std::string& schema) {
  simdjson::dom::parser parser;
  std::string_view text;
  return parser.parse(schema)["description"].get(text) == simdjson::SUCCESS ? std::string(text) : "";
}

class Document {
 public:
  Document(const std::vector<Route>& routes, const Reference& reference, std::string_view base_url)
      : routes_(routes), reference_(reference), base_url_(base_url) {
    add_error_types();
    for (const Route& route : routes) collect_types(route);
    schemas_.emplace(schema_.components, reference);
  }

  std::string text() {
    std::map<std::string, std::vector<std::pair<std::string, std::string>>> operations_by_path;
    for (const Route& route : routes_) {
      if (described(route).hidden) continue;
      std::vector<std::string> path_names;
      const std::string path = templated(route.path, path_names);
      operations_by_path[path].emplace_back(lower_case(to_string(route.method)), operation(route, path_names));
    }
    return json::write_object([&](json::ObjectWriter& document) {
      document.add("openapi", "3.1.0");
      document.add("info", json::object({{"title", "Guildhall"},
                                         {"version", GUILDHALL_VERSION},
                                         {"summary", "The merchants' hall of chat communities."},
                                         {"description", introduction}}));
      document.add("servers", json::array({json::object({{"url", base_url_}, {"description", "This installation."}})}));
      add_tags(document);
      {
        json::ObjectWriter paths(document.key("paths"));
        for (const auto& [path, operations] : operations_by_path) {
          json::ObjectWriter methods(paths.key(path));
          for (const auto& [method, text] : operations) methods.key(method) += text;
        }
      }
      json::ObjectWriter components(document.key("components"));
      add_components(components);
    });
  }

 private:
  const Reference::Operation& described(const Route& route) const {
    return reference_.operation(fmt::format("{} {}", to_string(route.method), route.path));
  }

  void add_error_types() {
    std::string codes;
    for (const auto& [code, note] : reference_.errors()) codes += (codes.empty() ? "\"" : ",\"") + code + "\"";
    schema_.components["FieldProblem"] =
        R"({"type":"object","properties":{"field":{"type":"string"},"message":{"type":"string"}},)"
        R"("required":["field","message"]})";
    schema_.components["Error"] = fmt::format(
        R"({{"type":"object","properties":{{"error":{{"type":"string"}},"code":{{"type":"string","enum":[{}]}},)"
        R"("details":{{"type":"array","items":{{"$ref":"#/components/schemas/FieldProblem"}}}},)"
        R"("maxBytes":{{"type":"integer"}},"retryAfterSeconds":{{"type":"integer"}}}},"required":["error"]}})",
        codes);
  }

  void collect_types(const Route& route) {
    if (described(route).hidden) return;
    if (route.body != nullptr) schema_text(route.body, schema_);
    for (const Field& field : route.query) schema_text(field.schema, schema_);
    for (const Outcome& outcome : route.outcomes) {
      if (outcome.schema != nullptr) schema_text(outcome.schema, schema_);
    }
  }

  void add_tags(json::ObjectWriter& document) const {
    json::ArrayWriter tags(document.key("tags"));
    for (const Reference::Tag& tag : reference_.tags()) {
      const bool used = std::any_of(routes_.begin(), routes_.end(), [&](const Route& route) {
        return !described(route).hidden && described(route).tag == tag.name;
      });
      if (used) tags.add(json::object({{"name", tag.name}, {"description", tag.description}}));
    }
  }

  static bool writes(const Route& route) { return route.method != Method::get && route.method != Method::head; }
  // A webhook of another party: signed, and of any content type.
  static bool takes_message(const Route& route) { return route.raw_body && route.media_types.empty(); }
  static bool has_parameter(const Route& route) { return route.path.find(':') != std::string::npos; }
  bool takes_key(const Route& route) const {
    return writes(route) && route.tenant_scoped() && described(route).repeatable;
  }
  bool takes_if_match(const Route& route) const {
    return writes(route) && described(route).versioned && (route.method != Method::post || has_parameter(route));
  }

  std::string operation(const Route& route, const std::vector<std::string>& path_names) {
    const Reference::Operation& texts = described(route);
    return json::write_object([&](json::ObjectWriter& operation) {
      if (!texts.id.empty()) operation.add("operationId", texts.id);
      if (!texts.tag.empty()) operation.add("tags", json::array({texts.tag}));
      operation.add("summary", route.summary);
      if (!texts.description.empty()) operation.add("description", description_of(route));
      operation.add("x-access", to_string(route.access));
      add_security(operation, route);
      add_parameters(operation, route, path_names);
      add_body(operation, route);
      add_responses(operation, route);
      if (!takes_message(route) && !route.form) operation.key("x-codeSamples") += samples(route, path_names);
    });
  }

  std::string description_of(const Route& route) const {
    const Reference::Operation& texts = described(route);
    std::string out = texts.description;
    if (route.tenant_scoped()) out += fmt::format("\n\nNeeds the permission `{}`.", to_string(route.access));
    if (route.access == Access::session) out += "\n\nNeeds a session; a token cannot use it.";
    if (texts.errors.empty()) return out;
    out += "\n\nBesides the errors that every operation has:\n";
    for (const std::string& code : texts.errors) {
      const auto note = reference_.errors().find(code);
      if (note == reference_.errors().end()) throw std::logic_error("reference.json: unknown error code " + code);
      out += fmt::format("\n- `{}` ({}): {}", code, note->second.example, note->second.description);
    }
    return out;
  }

  static void add_security(json::ObjectWriter& operation, const Route& route) {
    json::ArrayWriter security(operation.key("security"));
    if (route.access == Access::open) return;
    if (!route.needs_session()) security.add(json::object({}));
    security.add(json::object({{"session", json::array({})}}));
    if (route.tenant_scoped()) security.add(json::object({{"token", json::array({})}}));
  }

  const Reference::Note* parameter_note(const Route& route, const std::string& name) const {
    const auto& own = described(route).parameters;
    const auto found = own.find(name);
    return found != own.end() ? &found->second : reference_.parameter(name);
  }

  std::string parameter_example(const Route& route, const std::string& name, const std::string& schema) const {
    const auto& own = described(route).parameters;
    if (const auto found = own.find(name); found != own.end() && !found->second.example.empty()) {
      return found->second.example;
    }
    if (const auto of_type = schemas_->example(schema)) return *of_type;
    const Reference::Note* shared = reference_.parameter(name);
    if (shared == nullptr || shared->example.empty()) shared = reference_.field({}, name);
    return shared != nullptr ? shared->example : "";
  }

  // The type of a filter describes it best, unless the operation itself has a text.
  std::string parameter_description(const Route& route, const std::string& name, const std::string& schema) const {
    const std::string of_type = description_in(schema);
    const bool has_own = described(route).parameters.contains(name);
    const Reference::Note* note = parameter_note(route, name);
    return note == nullptr || (!has_own && !of_type.empty()) ? of_type : note->description;
  }

  json::Value parameter(const Route& route, const std::string& name, std::string_view place, bool required,
                        const std::string& schema) const {
    const std::string description = parameter_description(route, name, schema);
    const std::string example = parameter_example(route, name, schema);
    return json::verbatim(json::write_object([&](json::ObjectWriter& out) {
      out.add("name", name);
      out.add("in", place);
      out.add("required", required);
      if (!description.empty()) out.add("description", description);
      out.key("schema") += schema;
      if (!example.empty()) out.key("example") += example;
    }));
  }

  void add_parameters(json::ObjectWriter& operation, const Route& route, const std::vector<std::string>& path_names) {
    json::ArrayWriter list(operation.key("parameters"));
    for (const std::string& name : path_names) {
      list.add(parameter(route, name, "path", true, R"({"type":"string"})"));
    }
    for (const Field& field : route.query) {
      const std::string schema = without_null(schema_text(field.schema, schema_));
      list.add(parameter(route, std::string(field.key), "query", field.required, schema));
    }
    if (route.access == Access::data_read || route.access == Access::data_write) {
      list.add(referred("parameters", "x-tenant-id"));
    }
    if (takes_key(route)) list.add(referred("parameters", "Idempotency-Key"));
    if (takes_if_match(route)) list.add(referred("parameters", "If-Match"));
    if (!writes(route) && described(route).versioned) list.add(referred("parameters", "If-None-Match"));
    if (!route.raw_body) list.add(referred("parameters", "Prefer"));
  }

  std::string body_example(const Route& route) {
    if (route.body == nullptr) return "";
    const std::string& own = described(route).body_example;
    return own.empty() ? schemas_->body_example(schema_text(route.body, schema_)).value_or("") : own;
  }

  void add_body(json::ObjectWriter& operation, const Route& route) {
    const auto add = [&](bool required, std::string_view media_type, const std::string& schema,
                         const std::string& example) {
      json::ObjectWriter body(operation.key("requestBody"));
      body.add("required", required);
      json::ObjectWriter content(body.key("content"));
      json::ObjectWriter media(content.key(media_type));
      media.key("schema") += schema;
      if (!example.empty()) media.key("example") += example;
    };
    if (route.body != nullptr) add(true, "application/json", schema_text(route.body, schema_), body_example(route));
    if (!route.media_types.empty()) {
      add_bytes(operation, route);
    } else if (route.raw_body) {
      add(true, "application/json", R"({"description":"The message as its sender wrote and signed it."})", "{}");
    }
    if (route.form) add(false, "application/x-www-form-urlencoded", R"({"type":"object"})", "");
  }

  static void add_bytes(json::ObjectWriter& operation, const Route& route) {
    json::ObjectWriter body(operation.key("requestBody"));
    body.add("required", true);
    json::ObjectWriter content(body.key("content"));
    for (const std::string_view type : route.media_types) {
      content.add(type, json::object({{"schema", json::object({{"type", "string"}, {"contentMediaType", type}})}}));
    }
  }

  void add_success_headers(json::ObjectWriter& response, const Route& route, int status) const {
    json::ObjectWriter headers(response.key("headers"));
    const auto add = [&](std::string_view name) { headers.add(name, referred("headers", name)); };
    add("x-request-id");
    if (described(route).versioned && status != 204) add("ETag");
    if (takes_key(route)) add("Idempotent-Replayed");
    if (!route.raw_body) add("Preference-Applied");
    if (route.limit || route.tenant_scoped()) {
      for (const std::string_view name : {"RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"}) add(name);
    }
  }

  bool may_answer(const Route& route, int status) const {
    switch (status) {
      case 401:
        return route.needs_session() || takes_message(route);
      case 403:
        return route.needs_session();
      case 404:
        return has_parameter(route);
      case 409:
        return takes_key(route);
      case 412:
        return takes_if_match(route);
      case 413:
        return route.body != nullptr || route.raw_body || route.form;
      case 415:
        return route.body != nullptr || !route.media_types.empty();
      case 429:
        return route.limit || route.tenant_scoped();
      default:
        return true;
    }
  }

  // Invoice pages answer with HTML, errors too.
  static bool answers_json(const Route& route) {
    return route.path.starts_with("/api/") || route.path.starts_with("/auth/");
  }

  static void add_error_content(json::ObjectWriter& response) {
    const json::Value schema = json::object({{"schema", referred("schemas", "Error")}});
    response.add("content", json::object({{"application/json", schema}}));
  }

  void add_responses(json::ObjectWriter& operation, const Route& route) {
    json::ObjectWriter responses(operation.key("responses"));
    std::vector<int> listed;
    for (const Outcome& outcome : route.outcomes) {
      listed.push_back(outcome.status);
      json::ObjectWriter response(responses.key(std::to_string(outcome.status)));
      response.add("description", outcome.meaning);
      if (outcome.status < 400) add_success_headers(response, route, outcome.status);
      if (outcome.schema == nullptr) {
        if (outcome.status >= 400 && answers_json(route)) add_error_content(response);
        continue;
      }
      json::ObjectWriter content(response.key("content"));
      {
        json::ObjectWriter media(content.key(outcome.media_type));
        media.key("schema") += schema_text(outcome.schema, schema_);
      }
      if (outcome.or_csv) content.key("text/csv") += R"({"schema":{"type":"string"}})";
    }
    for (const ErrorReply& error : error_replies) {
      const bool given = std::find(listed.begin(), listed.end(), error.status) != listed.end();
      if (given || !may_answer(route, error.status)) continue;
      responses.add(std::to_string(error.status), referred("responses", error.name));
    }
    responses.add("default", referred("responses", "Error"));
  }

  std::string samples(const Route& route, const std::vector<std::string>& path_names) {
    std::string path;
    std::size_t next = 0;
    for (std::string_view rest = route.path; !rest.empty();) {
      rest.remove_prefix(1);
      const std::string_view segment = rest.substr(0, rest.find('/'));
      rest.remove_prefix(segment.size());
      path += '/';
      if (segment.starts_with(':')) {
        const std::string example = parameter_example(route, path_names[next++], R"({"type":"string"})");
        if (example.size() > 2) path.append(example, 1, example.size() - 2);
      } else {
        path += segment;
      }
    }
    SampledCall call{.route = route, .path = path, .body = body_example(route), .reply = {}, .page_item = {}};
    for (const Outcome& outcome : route.outcomes) {
      if (outcome.media_type != "application/json") return code_samples(call, base_url_);
      if (outcome.schema != nullptr && outcome.status < 300) call.reply = type_of(schema_text(outcome.schema, schema_));
    }
    for (const std::string_view page : {"PageOf", "ListPageOf"}) {
      if (call.reply.starts_with(page)) call.page_item = call.reply.substr(page.size());
    }
    return code_samples(call, base_url_);
  }

  void add_error_response(json::ObjectWriter& responses, std::string_view name, std::string_view description,
                          std::string_view example, int status) const {
    json::ObjectWriter response(responses.key(name));
    response.add("description", description);
    {
      json::ObjectWriter headers(response.key("headers"));
      headers.add("x-request-id", referred("headers", "x-request-id"));
      if (status == 429 || status == 503) headers.add("Retry-After", referred("headers", "Retry-After"));
      if (status == 500) headers.add("Allow", referred("headers", "Allow"));  // the reply for other errors, such as 405
    }
    json::ObjectWriter content(response.key("content"));
    json::ObjectWriter media(content.key("application/json"));
    media.add("schema", referred("schemas", "Error"));
    media.key("example") += example;
  }

  void add_header_notes(json::ObjectWriter& out, std::string_view name) const {
    const Reference::Note* note = reference_.header(std::string(name));
    if (note == nullptr) return;
    out.add("description", note->description);
    out.add("schema", json::object({{"type", note->example.starts_with('"') ? "string" : "integer"}}));
    out.key("example") += note->example;
  }

  void add_components(json::ObjectWriter& components) {
    {
      json::ObjectWriter schemas(components.key("schemas"));
      for (const auto& [name, text] : schema_.components) {
        schemas.key(name) += name == "Error" ? error_schema() : schemas_->described(name);
      }
    }
    {
      json::ObjectWriter parameters(components.key("parameters"));
      for (const std::string_view name : request_headers) {
        json::ObjectWriter parameter(parameters.key(name));
        parameter.add("name", name);
        parameter.add("in", "header");
        parameter.add("required", false);
        add_header_notes(parameter, name);
      }
    }
    {
      json::ObjectWriter headers(components.key("headers"));
      for (const std::string_view name : reply_headers) {
        json::ObjectWriter header(headers.key(name));
        add_header_notes(header, name);
      }
    }
    {
      json::ObjectWriter responses(components.key("responses"));
      for (const ErrorReply& error : error_replies) {
        add_error_response(responses, error.name, error.description, error.example, error.status);
      }
      add_error_response(responses, "Error", "Any other error.",
                         R"({"error":"Something went wrong on our side.","code":"INTERNAL_ERROR"})", 500);
    }
    components.add(
        "securitySchemes",
        json::object({{"session", json::object({{"type", "apiKey"},
                                                {"in", "cookie"},
                                                {"name", "service_auth"},
                                                {"description",
                                                 "The session of a person, from a sign-in. A write from a browser "
                                                 "must come from a page of this installation."}})},
                      {"token", json::object({{"type", "http"},
                                              {"scheme", "bearer"},
                                              {"description",
                                               "The API token of a program, from `POST /api/admin/tokens`."}})}}));
  }

  // The schema of all errors, with the meaning of each code.
  std::string error_schema() const {
    std::string text = schemas_->described("Error");
    add_to_object(text, "x-error-codes", json::write_object([&](json::ObjectWriter& codes) {
                    for (const auto& [code, note] : reference_.errors()) {
                      json::ObjectWriter entry(codes.key(code));
                      entry.key("status") += note.example;
                      entry.add("description", note.description);
                    }
                  }));
    return text;
  }

  const std::vector<Route>& routes_;
  const Reference& reference_;
  std::string base_url_;
  Schema schema_;
  std::optional<DescribedSchemas> schemas_;
};

struct SharedDocument {
  std::string text;
  std::string etag;  // clients that have the document ask only whether it has changed
};

// The routes of all loops are the same, so that all but the first get the document of the first.
std::shared_ptr<const SharedDocument> shared_document(const std::vector<Route>& routes, std::string_view base_url) {
  static std::mutex mutex;
  static std::string known_routes;
  static std::shared_ptr<const SharedDocument> document;
  std::string names(base_url);
  for (const Route& route : routes) names += fmt::format("\n{} {}", to_string(route.method), route.path);
  const std::lock_guard lock(mutex);
  if (!document || names != known_routes) {
    std::string text = openapi_document(routes, Reference(reference_files()), base_url);
    std::string etag = fmt::format("\"{}\"", base64url(sha256(text)));
    document = std::make_shared<const SharedDocument>(SharedDocument{std::move(text), std::move(etag)});
    known_routes = std::move(names);
  }
  return document;
}

}  // namespace

std::string openapi_document(const std::vector<Route>& routes, const Reference& reference, std::string_view base_url) {
  return Document(routes, reference, base_url).text();
}

void add_description_route(std::vector<Route>& routes, std::string_view base_url) {
  const auto document = std::make_shared<std::shared_ptr<const SharedDocument>>();
  routes.push_back(Route{
      Method::get, "/openapi.json", Access::open, "This API as OpenAPI 3.1", [document](Call&) -> Task<Reply> {
        co_return Reply{.body = (*document)->text}.with("ETag", (*document)->etag).with("Cache-Control", "no-cache");
      }}.gives(200, "The document."));
  *document = shared_document(routes, base_url);
}

}  // namespace guildhall::api
