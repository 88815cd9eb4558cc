#include "sandbox/party.h"

#include "base/failure.h"
#include "base/url.h"

namespace guildhall::sandbox {

Fields fields_in(std::string_view text) {
  Fields fields;
  while (!text.empty()) {
    const std::string_view pair = text.substr(0, text.find('&'));
    text.remove_prefix(std::min(text.size(), pair.size() + 1));
    const std::size_t equals = std::min(pair.find('='), pair.size());
    const std::string_view value = pair.substr(std::min(equals + 1, pair.size()));
    fields[url_decode(pair.substr(0, equals), true).value_or("")] = url_decode(value, true).value_or("");
  }
  return fields;
}

std::vector<std::string> parts_of(std::string_view path) {
  std::vector<std::string> parts;
  while (path.starts_with('/')) {
    path.remove_prefix(1);
    const std::string_view part = path.substr(0, path.find('/'));
    parts.push_back(url_decode(part).value_or(""));
    path.remove_prefix(part.size());
  }
  return parts;
}

bool fits(const std::vector<std::string>& parts, std::string_view pattern) {
  std::size_t index = 0;
  for (; pattern.starts_with('/'); ++index) {
    pattern.remove_prefix(1);
    const std::string_view part = pattern.substr(0, pattern.find('/'));
    if (index >= parts.size() || (part != "*" && part != parts[index])) return false;
    pattern.remove_prefix(part.size());
  }
  return index == parts.size();
}

PartyRequest::PartyRequest(const http::Request& request, std::string_view path)
    : http(request), parts(parts_of(path)), json(JsonLookup::parse(request.body)) {}

http::Reply json_reply(int status, std::string body) {
  return {.status = status, .body = std::move(body)};
}

http::Reply json_reply(int status, const json::Value& body) {
  return {.status = status, .body = body.text};
}

void require_action(const std::vector<std::string_view>& actions, std::string_view action, std::string_view status) {
  if (std::ranges::count(actions, action) > 0) return;
  throw conflict("NOT_POSSIBLE", fmt::format("Its status is {}: '{}' is not possible.", status, action));
}

}  // namespace guildhall::sandbox
