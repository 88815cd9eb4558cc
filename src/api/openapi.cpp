#include "api/openapi.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "api/described_schemas.h"
#include "api/openapi_components.h"
#include "api/openapi_operation.h"
#include "api/openapi_webhooks.h"
#include "base/crypto.h"
#include "base/encoding.h"
#include "base/json_writer.h"
#include "http/accept.h"
#include "http/gzip.h"

namespace guildhall::api {
namespace {

constexpr std::string_view introduction =
    R"(Guildhall sells for chat communities: every chat server is a shop, and every shop is a tenant with its own records.

**Sign-in.** People sign in with `POST /auth/local/login` or at the chat platform (`GET /auth/chat/start`), and then have a session cookie. Programs send an API token as `Authorization: Bearer`. Every operation names the permission that it needs.

**Values.** Ids are opaque text. Times are UTC in RFC 3339. Money is an integer in the minor unit of its currency: 1500 with `USD` is $15.00, with `JPY` it is ¥1500.

**Lists** come in pages. A page has a `nextCursor`; send it as `cursor` to get the next page. It is null on the last one.

**Safe repetition.** A write with an `Idempotency-Key` has its effect once, however often it is sent within a day.

**Versions.** A record comes with an `ETag`. A change with `If-Match` fails with 412 if somebody else changed the record in between.

**Misspelt fields.** With `Prefer: handling=strict` an unknown field or parameter is an error that names it; without it, it is ignored.)";

std::string lower_case(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), [](char c) { return static_cast<char>(c | 0x20); });
  return out;
}

bool is_hidden(const Route& route, const Reference& reference) {
  return texts_of(route, reference).hidden;
}

// The types of all bodies, parameters, replies and events, and those of errors.
Schema collected_types(const std::vector<Route>& routes, std::span<const OutgoingEvent> events,
                       const Reference& reference) {
  Schema schema;
  add_error_types(schema, reference);
  for (const Route& route : routes) {
    if (is_hidden(route, reference)) continue;
    if (route.body != nullptr) schema_text(route.body, schema);
    for (const Field& field : route.query) schema_text(field.schema, schema);
    for (const Outcome& outcome : route.outcomes) {
      if (outcome.schema != nullptr) schema_text(outcome.schema, schema);
    }
  }
  for (const OutgoingEvent& event : events) schema_text(event.data, schema);
  return schema;
}

class Document {
 public:
  Document(const std::vector<Route>& routes, std::span<const OutgoingEvent> events, const Reference& reference,
           std::string_view base_url)
      : routes_(routes),
        events_(events),
        reference_(reference),
        base_url_(base_url),
        schema_(collected_types(routes, events, reference)),
        schemas_(schema_.components, reference) {}

  std::string text() {
    return json::write_object([&](json::ObjectWriter& document) {
      document.add("openapi", "3.1.0");
      document.add("info", json::object({{"title", "Guildhall"},
                                         {"version", GUILDHALL_VERSION},
                                         {"summary", "The merchants' hall of chat communities."},
                                         {"description", introduction},
                                         {"contact", of_operator("The operator of this installation")},
                                         {"license", of_operator("The terms of use of the operator")}}));
      document.add("servers", json::array({json::object({{"url", base_url_}, {"description", "This installation."}})}));
      add_tags(document);
      add_paths(document);
      if (!events_.empty()) add_webhooks(document, events_, schemas_, schema_, reference_);
      add_components(document, schema_, schemas_, reference_);
    });
  }

 private:
  json::Value of_operator(std::string_view name) const { return json::object({{"name", name}, {"url", base_url_}}); }

  // Only the tags that an operation has.
  void add_tags(json::ObjectWriter& document) const {
    json::ArrayWriter tags(document.key("tags"));
    for (const Reference::Tag& tag : reference_.tags()) {
      const bool used = std::any_of(routes_.begin(), routes_.end(), [&](const Route& route) {
        return !is_hidden(route, reference_) && texts_of(route, reference_).tag == tag.name;
      });
      if (used) tags.add(json::object({{"name", tag.name}, {"description", tag.description}}));
    }
  }

  // The operations, grouped by path as OpenAPI demands.
  void add_paths(json::ObjectWriter& document) {
    const OperationSources sources{
        .reference = reference_, .schemas = schemas_, .schema = schema_, .base_url = base_url_};
    std::map<std::string, std::vector<const Route*>> routes_by_path;
    for (const Route& route : routes_) {
      if (!is_hidden(route, reference_)) routes_by_path[described_path(route, reference_)].push_back(&route);
    }
    json::ObjectWriter paths(document.key("paths"));
    for (const auto& [path, routes] : routes_by_path) {
      json::ObjectWriter methods(paths.key(path));
      for (const Route* route : routes) {
        methods.key(lower_case(to_string(route->method))) += describe_operation(*route, sources);
      }
    }
  }

  const std::vector<Route>& routes_;
  std::span<const OutgoingEvent> events_;
  const Reference& reference_;
  std::string base_url_;
  Schema schema_;
  DescribedSchemas schemas_;  // of the types in schema_
};

// The document of a process. The first request for it makes it: that takes as long as all the rest of a start, and most
// processes are never asked.
class SharedDocument {
 public:
  SharedDocument(const std::vector<Route>& routes, std::span<const OutgoingEvent> events, std::string_view base_url)
      : routes_(routes), events_(events.begin(), events.end()), base_url_(base_url) {
    for (Route& route : routes_) {
      route.handler = nullptr;
      route.authorize = nullptr;
      route.cost = nullptr;
    }
  }

  struct Made {
    std::string text;
    std::string gzip;
    std::string hash;  // clients that have the document ask only whether it has changed
  };
  const Made& made() {
    std::call_once(is_made_, [this] {
      made_.text = openapi_document(routes_, events_, Reference(reference_files()), base_url_);
      made_.gzip = http::gzip(made_.text);
      made_.hash = base64url(sha256(made_.text));
      routes_ = {};
    });
    return made_;
  }

 private:
  std::vector<Route> routes_;  // without their functions
  std::vector<OutgoingEvent> events_;
  std::string base_url_;
  std::once_flag is_made_;
  Made made_;
};

// The routes of all loops are the same, so that all but the first get the document of the first.
std::shared_ptr<SharedDocument> shared_document(const std::vector<Route>& routes, std::span<const OutgoingEvent> events,
                                                std::string_view base_url) {
  static std::mutex mutex;
  static std::string known_routes;
  static std::shared_ptr<SharedDocument> document;
  std::string names(base_url);
  for (const Route& route : routes) names += fmt::format("\n{} {}", to_string(route.method), route.path);
  const std::lock_guard lock(mutex);
  if (!document || names != known_routes) {
    document = std::make_shared<SharedDocument>(routes, events, base_url);
    known_routes = std::move(names);
  }
  return document;
}

Reply document_reply(const SharedDocument::Made& document, std::string_view accepted_encodings) {
  const bool zipped = http::weight_in(accepted_encodings, "gzip") > 0;
  Reply reply{.body = zipped ? document.gzip : document.text};
  if (zipped) reply.with("Content-Encoding", "gzip");
  return std::move(reply)
      .with("ETag", fmt::format("\"{}{}\"", document.hash, zipped ? "-gzip" : ""))
      .with("Vary", "Accept-Encoding")
      .with("Cache-Control", "no-cache");
}

}  // namespace

std::string openapi_document(const std::vector<Route>& routes, std::span<const OutgoingEvent> events,
                             const Reference& reference, std::string_view base_url) {
  return Document(routes, events, reference, base_url).text();
}

void add_description_route(std::vector<Route>& routes, std::span<const OutgoingEvent> events,
                           std::string_view base_url) {
  const auto document = std::make_shared<std::shared_ptr<SharedDocument>>();
  routes.push_back(Route{Method::get, "/openapi.json", Access::open, "This API as OpenAPI 3.1",
                         [document](Call& call) -> Task<Reply> {
                           co_return document_reply((*document)->made(), call.request.header("accept-encoding"));
                         }}
                       .limited({.endpoint = "api_description", .per_minute = 300})
                       .gives(200, "The document."));
  *document = shared_document(routes, events, base_url);
}

}  // namespace guildhall::api
