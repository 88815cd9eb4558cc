#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/declared.h"
#include "base/json_lookup.h"
#include "base/json_writer.h"
#include "http/reply.h"
#include "http/request.h"
#include "sandbox/call_log.h"

namespace guildhall::sandbox {

class World;
struct Webhook;

using Fields = std::map<std::string, std::string>;

// The decoded fields of a form, or of a query.
Fields fields_in(std::string_view text);

// The decoded parts of a path.
std::vector<std::string> parts_of(std::string_view path);

// Whether the path has these parts; a `*` in the pattern stands for any part: `/v2/orders/*`.
bool fits(const std::vector<std::string>& parts, std::string_view pattern);

// A request to a party.
struct PartyRequest {
  // `path` is the part of the request's path after the party's prefix.
  PartyRequest(const http::Request& request, std::string_view path);

  bool is(http::Method wanted, std::string_view pattern) const { return http.method == wanted && fits(parts, pattern); }
  const std::string& part(std::size_t index) const { return parts.at(index); }
  std::string header(std::string_view lower_case_name) const { return std::string(http.header(lower_case_name)); }
  std::string text(std::string_view pointer) const { return json ? json->text(pointer) : ""; }

  const http::Request& http;
  std::vector<std::string> parts;  // of the path, decoded
  std::optional<JsonLookup> json;  // the body, if it is a JSON object
};

http::Reply json_reply(int status, std::string body);
http::Reply json_reply(int status, const json::Value& body);

// Throws Failure unless the action is one of those that a person may take now.
void require_action(const std::vector<std::string_view>& actions, std::string_view action, std::string_view status);

// One of the outside parties.
class Party {
 public:
  Party(World& world, std::string name, std::string title)
      : world(world), name(std::move(name)), title(std::move(title)) {}
  Party(const Party&) = delete;
  Party& operator=(const Party&) = delete;
  virtual ~Party() = default;

  // Answers a call to the party's API.
  virtual http::Reply answer(const PartyRequest& request) = 0;

  // The headers that authenticate a call of the party to this address of the server. The first one is the signature.
  virtual Headers signature(const std::string& url, const std::string& body) const = 0;

  // The body of an event that is sent once more.
  virtual std::string body_of_repetition(const std::string& body) const { return body; }

  World& world;
  const std::string name;   // also the first part of its path
  const std::string title;  // for people
  std::int64_t calls = 0;   // that it has received
};

}  // namespace guildhall::sandbox
