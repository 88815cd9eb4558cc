#include "api/openapi_components.h"

#include <fmt/format.h>
#include <utility>

namespace guildhall::api {
namespace {

constexpr ErrorReply shared_replies[] = {
    {304, "NotModified", "The version that `If-None-Match` names is still the current one. There is no body.", ""},
    {400, "BadRequest", "The request is wrong. `details` names every wrong field.",
     R"({"error":"The request has invalid fields.","code":"VALIDATION_FAILED",)"
     R"("details":[{"field":"items[0].quantity","message":"must be an integer from 1 to 1000000"}]})"},
    {401, "Unauthenticated",
     "There is no session (`UNAUTHENTICATED`), the token is not valid (`INVALID_TOKEN`), or the signature of a webhook "
     "is wrong (`INVALID_SIGNATURE`).",
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
    {500, "InternalError", "An error of the server.",
     R"({"error":"Something went wrong on our side.","code":"INTERNAL_ERROR"})"},
    {503, "Unavailable", "The server cannot serve the request at present. The outcome of a write may be unknown.",
     R"({"error":"The database does not answer.","code":"UNAVAILABLE"})"},
};

// The reply to errors that have no reply of their own.
constexpr ErrorReply other_error{405, "Error", "Any other error.",
                                 R"({"error":"This address does not take that method.","code":"METHOD_NOT_ALLOWED"})"};

constexpr std::string_view request_headers[] = {"Prefer",        "Idempotency-Key", "If-Match",
                                                "If-None-Match", "x-tenant-id",     "Guildhall-Version"};
constexpr std::string_view delivery_headers[] = {"webhook-id", "webhook-timestamp", "webhook-signature"};
constexpr std::string_view reply_headers[] = {"x-request-id",
                                              "ETag",
                                              "RateLimit-Limit",
                                              "RateLimit-Remaining",
                                              "RateLimit-Reset",
                                              "Retry-After",
                                              "Allow",
                                              "Location",
                                              "Set-Cookie",
                                              "WWW-Authenticate",
                                              "Preference-Applied",
                                              "Ignored-Fields",
                                              "Idempotent-Replayed",
                                              "Guildhall-Version",
                                              "Deprecation",
                                              "Sunset"};

// The schema of all errors, with the meaning of each code.
std::string error_schema(const DescribedSchemas& schemas, const Reference& reference) {
  std::string text = schemas.described("Error");
  add_to_object(text, "x-error-codes", json::write_object([&](json::ObjectWriter& codes) {
                  for (const auto& [code, note] : reference.errors()) {
                    json::ObjectWriter entry(codes.key(code));
                    entry.key("status") += note.example;
                    entry.add("description", note.description);
                  }
                }));
  return text;
}

void add_schemas(json::ObjectWriter& components, const Schema& schema, const DescribedSchemas& described,
                 const Reference& reference) {
  json::ObjectWriter schemas(components.key("schemas"));
  for (const auto& [name, text] : schema.components) {
    schemas.key(name) += name == "Error" ? error_schema(described, reference) : described.described(name);
  }
}

void add_header_notes(json::ObjectWriter& out, std::string_view name, const Reference& reference) {
  const Reference::Note* note = reference.header(std::string(name));
  if (note == nullptr) return;
  out.add("description", note->description);
  out.add("schema", json::object({{"type", note->example.starts_with('"') ? "string" : "integer"}}));
  out.key("example") += note->example;
}

void add_request_headers(json::ObjectWriter& components, const Reference& reference) {
  json::ObjectWriter parameters(components.key("parameters"));
  const auto add = [&](std::string_view name, bool required) {
    json::ObjectWriter parameter(parameters.key(name));
    parameter.add("name", name);
    parameter.add("in", "header");
    parameter.add("required", required);
    add_header_notes(parameter, name, reference);
  };
  for (const std::string_view name : request_headers) add(name, false);
  for (const std::string_view name : delivery_headers) add(name, true);
}

void add_reply_headers(json::ObjectWriter& components, const Reference& reference) {
  json::ObjectWriter headers(components.key("headers"));
  for (const std::string_view name : reply_headers) {
    json::ObjectWriter header(headers.key(name));
    add_header_notes(header, name, reference);
  }
}

void add_error_reply(json::ObjectWriter& responses, const ErrorReply& error) {
  json::ObjectWriter response(responses.key(error.name));
  response.add("description", error.description);
  {
    json::ObjectWriter headers(response.key("headers"));
    const auto add = [&](std::string_view name) { headers.add(name, referred("headers", name)); };
    add("x-request-id");
    if (error.status == 304) add("ETag");
    if (error.status == 401) add("WWW-Authenticate");
    if (error.status == 405) add("Allow");
    if (error.status == 429 || error.status == 503) add("Retry-After");
    if (error.status == 429) {
      for (const std::string_view name : {"RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"}) add(name);
    }
  }
  if (error.example.empty()) return;
  json::ObjectWriter content(response.key("content"));
  json::ObjectWriter media(content.key("application/json"));
  media.add("schema", referred("schemas", "Error"));
  media.key("example") += error.example;
}

void add_error_replies(json::ObjectWriter& components) {
  json::ObjectWriter responses(components.key("responses"));
  for (const ErrorReply& error : shared_replies) add_error_reply(responses, error);
  add_error_reply(responses, other_error);
}

void add_security_schemes(json::ObjectWriter& components) {
  components.add(
      "securitySchemes",
      json::object(
          {{"session", json::object({{"type", "apiKey"},
                                     {"in", "cookie"},
                                     {"name", "service_auth"},
                                     {"description",
                                      "The session of a person, from a sign-in. A write from a browser "
                                      "must come from a page of this installation."}})},
           {"token", json::object({{"type", "http"},
                                   {"scheme", "bearer"},
                                   {"description", "The API token of a program, from `POST /api/admin/tokens`."}})}}));
}

}  // namespace

std::span<const std::string_view> webhook_headers() {
  return delivery_headers;
}

std::span<const ErrorReply> error_replies() {
  return shared_replies;
}

json::Value referred(std::string_view section, std::string_view name) {
  return json::object({{"$ref", fmt::format("#/components/{}/{}", section, name)}});
}

std::string schema_text(SchemaOf schema_of, Schema& schema) {
  schema.out.clear();
  schema_of(schema);
  return std::exchange(schema.out, {});
}

void add_error_types(Schema& schema, const Reference& reference) {
  std::string codes;
  for (const auto& [code, note] : reference.errors()) codes += (codes.empty() ? "\"" : ",\"") + code + "\"";
  schema.components["FieldProblem"] =
      R"({"type":"object","properties":{"field":{"type":"string"},"message":{"type":"string"}},)"
      R"("required":["field","message"]})";
  schema.components["Error"] = fmt::format(
      R"({{"type":"object","properties":{{"error":{{"type":"string"}},"code":{{"type":"string","enum":[{}]}},)"
      R"("details":{{"type":"array","items":{{"$ref":"#/components/schemas/FieldProblem"}}}},)"
      R"("maxBytes":{{"type":"integer"}},"retryAfterSeconds":{{"type":"integer"}}}},"required":["error"]}})",
      codes);
}

void add_components(json::ObjectWriter& document, const Schema& schema, const DescribedSchemas& schemas,
                    const Reference& reference) {
  json::ObjectWriter components(document.key("components"));
  add_schemas(components, schema, schemas, reference);
  add_request_headers(components, reference);
  add_reply_headers(components, reference);
  add_error_replies(components);
  add_security_schemes(components);
}

}  // namespace guildhall::api
