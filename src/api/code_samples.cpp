#include "api/code_samples.h"

#include "api/described_schemas.h"

namespace guildhall::api {
namespace {

bool is_stream(const Route& route) {
  return std::any_of(route.outcomes.begin(), route.outcomes.end(),
                     [](const Outcome& outcome) { return outcome.media_type != "application/json"; });
}

std::string curl(const SampledCall& call, std::string_view base_url) {
  const Route& route = call.route;
  std::string out = "curl";
  if (is_stream(route)) out += " --no-buffer";
  if (route.method != Method::get) out += fmt::format(" -X {}", to_string(route.method));
  out += fmt::format(" '{}{}'", base_url, call.path);
  if (route.tenant_scoped()) out += " \\\n  -H \"Authorization: Bearer $GUILDHALL_TOKEN\"";
  if (route.access == Access::session) out += " \\\n  --cookie \"service_auth=$GUILDHALL_SESSION\"";
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

std::string typescript(const SampledCall& call, std::string_view base_url) {
  const Route& route = call.route;
  const std::string& type = call.page_item.empty() ? call.reply : call.page_item;
  std::string out = fmt::format(
      "import {{ GuildhallClient{} }} from \"@guildhall/client\";\n\n"
      "const client = new GuildhallClient({{ baseUrl: \"{}\" }});\n",
      type.empty() ? "" : ", type components", base_url);
  if (route.needs_session()) out += "await client.signIn(\"default\", \"admin\", password);\n";
  const std::string generic = type.empty() ? "" : fmt::format("<components[\"schemas\"][\"{}\"]>", type);
  if (!call.page_item.empty()) {
    return out + fmt::format("for await (const item of client.each{}(\"{}\")) {{\n  console.log(item);\n}}", generic,
                             call.path);
  }
  const std::string body = call.body.empty() ? "" : ", " + indented(call.body);
  const std::string function = fmt::format("client.{}{}(\"{}\"{});", client_function(route.method),
                                           route.method == Method::del ? "" : generic, call.path, body);
  if (type.empty() || route.method == Method::del) return out + "await " + function;
  return out + (route.method == Method::patch ? "const { record, etag } = await " : "const reply = await ") + function;
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
