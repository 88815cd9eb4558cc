#include "api/code_samples.h"

#include <algorithm>
#include <fmt/ranges.h>

#include "api/described_schemas.h"

namespace guildhall::api {
namespace {

bool is_stream(const Route& route) {
  return std::any_of(route.outcomes.begin(), route.outcomes.end(),
                     [](const Outcome& outcome) { return outcome.media_type != "application/json"; });
}

// The text in a JSON string; other values, and lists of strings, as a query has them.
std::string plain(std::string_view json) {
  std::string out;
  for (const char c : json) {
    if (c != '"' && c != '[' && c != ']') out += c;
  }
  return out;
}

// The path with examples in the places of its parameters, and with the required query.
std::string example_path(const SampledCall& call) {
  std::string out = call.path_template;
  for (const SampledParameter& parameter : call.params) {
    const std::string place = fmt::format("{{{}}}", parameter.name);
    out.replace(out.find(place), place.size(), plain(parameter.value));
  }
  char separator = '?';
  for (const SampledParameter& parameter : call.query) {
    out += fmt::format("{}{}={}", separator, parameter.name, plain(parameter.value));
    separator = '&';
  }
  return out;
}

std::string curl(const SampledCall& call, std::string_view base_url) {
  const Route& route = call.route;
  std::string out = "curl";
  if (is_stream(route)) out += " --no-buffer";
  if (route.method != Method::get) out += fmt::format(" -X {}", to_string(route.method));
  out += fmt::format(" '{}{}'", base_url, example_path(call));
  if (route.admits_tokens()) {
    out += " \\\n  -H \"Authorization: Bearer $GUILDHALL_TOKEN\"";
  } else if (route.needs_session()) {
    out += " \\\n  --cookie \"service_auth=$GUILDHALL_SESSION\"";
  }
  if (!route.media_types.empty()) {
    return out + fmt::format(" \\\n  -H 'Content-Type: {}' \\\n  --data-binary @picture", route.media_types.front());
  }
  if (call.body.empty()) return out;
  std::string body = indented(call.body);
  for (std::size_t at = 0; (at = body.find('\'', at)) != std::string::npos; at += 4) body.replace(at, 1, "'\\''");
  return out + " \\\n  -H 'Content-Type: application/json' \\\n  -d '" + body + "'";
}

std::string_view client_function(Method method) {
  switch (method) {
    case Method::post:
      return "post";
    case Method::put:
      return "put";
    case Method::patch:
      return "patch";
    case Method::del:
      return "delete";
    default:
      return "get";
  }
}

std::string object_of(const std::vector<SampledParameter>& parameters) {
  std::string out;
  for (const SampledParameter& parameter : parameters) {
    out += fmt::format("{}{}: {}", out.empty() ? "{ " : ", ", parameter.name, parameter.value);
  }
  return out + " }";
}

// The second argument of a call of the client, after a comma; empty if the call needs none.
std::string call_options(const SampledCall& call) {
  std::vector<std::string> members;
  if (!call.params.empty()) members.push_back("params: " + object_of(call.params));
  if (!call.query.empty()) members.push_back("query: " + object_of(call.query));
  if (call.body.empty()) return members.empty() ? "" : fmt::format(", {{ {} }}", fmt::join(members, ", "));
  std::string body = indented(call.body);
  for (std::size_t at = 0; (at = body.find('\n', at)) != std::string::npos; at += 3) body.insert(at + 1, "  ");
  members.push_back("body: " + body);
  return fmt::format(", {{\n  {},\n}}", fmt::join(members, ",\n  "));
}

// True if the client's function for the method takes the route: its reply is JSON, or it has none.
bool is_typed(const Route& route) {
  return std::any_of(route.outcomes.begin(), route.outcomes.end(), [](const Outcome& outcome) {
    return outcome.status < 300 && (outcome.schema != nullptr || outcome.status == 202 || outcome.status == 204);
  });
}

bool has_reply(const Route& route) {
  return std::any_of(route.outcomes.begin(), route.outcomes.end(),
                     [](const Outcome& outcome) { return outcome.status < 300 && outcome.schema != nullptr; });
}

std::string typescript(const SampledCall& call, std::string_view base_url) {
  const Route& route = call.route;
  std::string out = fmt::format(
      "import {{ GuildhallClient }} from \"@guildhall/client\";\n\n"
      "const client = new GuildhallClient({{ baseUrl: \"{}\"{} }});\n",
      base_url, route.admits_tokens() ? ", token" : "");
  if (route.needs_session() && !route.admits_tokens())
    out += "await client.signIn(\"default\", \"admin\", password);\n";
  if (!is_typed(route)) {
    return out + fmt::format("const response = await client.fetch(\"{}\", \"{}\");", to_string(route.method),
                             example_path(call));
  }
  const std::string arguments = fmt::format("(\"{}\"{})", call.path_template, call_options(call));
  if (call.is_list)
    return out + fmt::format("for await (const item of client.each{}) {{\n  console.log(item);\n}}", arguments);
  const std::string_view result = !has_reply(route)               ? ""
                                  : route.method == Method::patch ? "const { record, etag } = "
                                                                  : "const reply = ";
  return out + fmt::format("{}await client.{}{};", result, client_function(route.method), arguments);
}

json::Value sample(std::string_view lang, std::string_view label, const std::string& source) {
  return json::object({{"lang", lang}, {"label", label}, {"source", source}});
}

}  // namespace

std::string code_samples(const SampledCall& call, std::string_view base_url) {
  const json::Value shell = sample("Shell", "curl", curl(call, base_url));
  const bool is_json = call.route.media_types.empty() && !is_stream(call.route);  // all that the client's calls take
  if (!is_json) return json::array({shell}).text;
  return json::array({shell, sample("TypeScript", "TypeScript", typescript(call, base_url))}).text;
}

}  // namespace guildhall::api
