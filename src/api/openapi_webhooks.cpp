#include "api/openapi_webhooks.h"

#include "api/openapi_components.h"

namespace guildhall::api {
namespace {

// onOrderPaid for order.paid.
std::string operation_id(std::string_view event) {
  std::string id = "on";
  bool starts_word = true;
  for (const char c : event) {
    const bool separates = c == '.' || c == '_' || c == '-';
    if (!separates) id += starts_word && c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    starts_word = separates;
  }
  return id;
}

void add_body(json::ObjectWriter& operation, std::string_view event, const std::string& data,
              const std::optional<std::string>& example) {
  json::ObjectWriter body(operation.key("requestBody"));
  body.add("required", true);
  json::ObjectWriter content(body.key("content"));
  json::ObjectWriter media(content.key("application/json"));
  {
    json::ObjectWriter schema(media.key("schema"));
    schema.add("type", "object");
    {
      json::ObjectWriter properties(schema.key("properties"));
      properties.add("type", json::object({{"type", "string"}, {"const", event}, {"description", "The event."}}));
      properties.add(
          "timestamp",
          json::object({{"type", "string"}, {"format", "date-time"}, {"description", "When the change was made."}}));
      properties.key("data") += data;
    }
    schema.add("required", json::array({"type", "timestamp", "data"}));
  }
  if (!example) return;
  json::ObjectWriter sent(media.key("example"));
  sent.add("type", event);
  sent.add("timestamp", "2026-11-15T10:00:00.000Z");
  sent.key("data") += *example;
}

}  // namespace

void add_webhooks(json::ObjectWriter& document, std::span<const OutgoingEvent> events, const DescribedSchemas& schemas,
                  Schema& schema, const Reference& reference) {
  json::ObjectWriter webhooks(document.key("webhooks"));
  for (const OutgoingEvent& event : events) {
    const Reference::Note* note = reference.webhook(event.name);
    json::ObjectWriter methods(webhooks.key(event.name));
    json::ObjectWriter operation(methods.key("post"));
    operation.add("operationId", operation_id(event.name));
    operation.add("tags", json::array({"Webhooks"}));
    operation.add("summary", event.name);
    if (note != nullptr) operation.add("description", note->description);
    operation.add("security", json::array({}));
    {
      json::ArrayWriter parameters(operation.key("parameters"));
      for (const std::string_view name : webhook_headers()) parameters.add(referred("parameters", name));
    }
    const std::string data = schema_text(event.data, schema);
    add_body(operation, event.name, data, schemas.example(data));
    operation.add("responses",
                  json::object({{"2XX", json::object({{"description", "The event is delivered."}})},
                                {"4XX", json::object({{"description", "The event is sent again later."}})}}));
  }
}

}  // namespace guildhall::api
