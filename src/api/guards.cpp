#include "api/guards.h"

#include "base/ascii.h"
#include "http/cookies.h"

namespace guildhall::api {
namespace {

std::string_view permission_for(Access access) {
  switch (access) {
    case Access::data_read:
      return "data.read";
    case Access::data_write:
      return "data.write";
    case Access::admin:
      return "admin.access";
    case Access::tenant_admin:
      return "TenantAdmin";
    case Access::platform_admin:
      return "PlatformAdmin";
    case Access::open:
    case Access::optional:
    case Access::session:
      return "";
  }
  return "";
}

bool is_safe(const Request& request) {
  return request.method == Method::get || request.method == Method::head;
}

Failure cross_site() {
  return forbidden("CROSS_SITE", "Requests from other sites may not change anything.");
}

// Returns `host:port` in lower case, with the scheme's default port if there is none.
std::string host_and_port(std::string_view authority, std::string_view url_with_scheme) {
  std::string text(authority);
  std::transform(text.begin(), text.end(), text.begin(), lower);
  const std::size_t colon = text.rfind(':');
  const bool has_port = colon != std::string::npos && text.find(']', colon) == std::string::npos;
  if (!has_port) text += url_with_scheme.starts_with("https:") ? ":443" : ":80";
  return text;
}

// Returns the host and port of an http or https URL.
std::optional<std::string> authority_of(std::string_view url) {
  for (const std::string_view scheme : {"https://", "http://"}) {
    if (!url.starts_with(scheme)) continue;
    const std::string_view rest = url.substr(scheme.size());
    return host_and_port(rest.substr(0, rest.find_first_of("/?#")), url);
  }
  return std::nullopt;
}

}  // namespace

std::string_view to_string(Access access) {
  switch (access) {
    case Access::open:
      return "open";
    case Access::optional:
      return "optional session";
    case Access::session:
      return "session";
    default:
      return permission_for(access);
  }
}

bool is_own_origin(std::string_view origin, std::string_view host, std::string_view public_base_url) {
  const auto authority = authority_of(origin);
  if (!authority) return false;  // for example "null"
  return *authority == host_and_port(host, origin) || authority == authority_of(public_base_url);
}

void refuse_cross_site(const Request& request) {
  if (is_safe(request)) return;
  if (request.header("sec-fetch-site") == "cross-site") throw cross_site();
}

void refuse_foreign_page(const Request& request, std::string_view session_cookie, std::string_view public_base_url) {
  if (is_safe(request) || http::cookie_value(request.header("cookie"), session_cookie).empty()) return;
  if (request.has_header("sec-fetch-site")) {
    const std::string_view site = request.header("sec-fetch-site");
    if (site != "same-origin" && site != "none") throw cross_site();
  } else if (request.has_header("origin")) {
    if (!is_own_origin(request.header("origin"), request.header("host"), public_base_url)) throw cross_site();
  }
}

TenantId tenant_of(const Call& call) {
  const TenantId& own = call.caller->tenant;
  const std::string_view named = call.request.header("x-tenant-id");
  if (own.empty()) throw forbidden("TENANT_MISSING", "The session has no tenant.");
  if (!named.empty() && named != own.text()) {
    throw forbidden("TENANT_MISMATCH", "The session belongs to another tenant: switch with POST /auth/tenant.");
  }
  return own;
}

void require_permission(const Caller& caller, Access access) {
  const std::string_view permission = permission_for(access);
  if (!caller.may(permission)) {
    throw forbidden("PERMISSION_DENIED", fmt::format("This needs the permission {}.", permission));
  }
}

namespace {

// One preference of a list such as `respond-async, handling=strict; x=1`; the value may be quoted.
bool is_strict_handling(std::string_view preference) {
  preference = trim(preference.substr(0, preference.find(';')));
  const std::size_t equals = preference.find('=');
  if (equals == std::string_view::npos || !is_text(trim(preference.substr(0, equals)), "handling")) return false;
  std::string_view value = trim(preference.substr(equals + 1));
  if (value.size() > 1 && value.front() == '"' && value.back() == '"') value = value.substr(1, value.size() - 2);
  return is_text(value, "strict");
}

}  // namespace

bool prefers_strict_handling(const Request& request) {
  for (const http::Header& header : request.headers) {
    if (!is_text(header.name, "prefer")) continue;
    for (std::string_view list = header.value; !list.empty();) {
      const std::string_view preference = list.substr(0, list.find(','));
      list.remove_prefix(std::min(list.size(), preference.size() + 1));
      if (is_strict_handling(preference)) return true;
    }
  }
  return false;
}

void require_path_parameters(const Call& call, const Route& route) {
  std::vector<Problem> missing;
  std::string_view rest = route.path;
  for (const std::string& value : call.params) {
    rest.remove_prefix(rest.find("/:") + 2);
    if (value.empty()) missing.push_back({std::string(rest.substr(0, rest.find('/'))), "is required"});
  }
  if (!missing.empty()) throw invalid_fields(std::move(missing));
}

std::optional<std::string_view> bearer_token(const Request& request) {
  constexpr std::string_view scheme = "bearer";
  const std::string_view value = request.header("authorization");
  if (!is_text(value.substr(0, scheme.size()), scheme)) return std::nullopt;
  const std::string_view rest = value.substr(scheme.size());
  if (!rest.empty() && rest.front() != ' ') return std::nullopt;
  return trim(rest);
}

std::string challenge_of(const Route& route, const Request& request, std::string_view session_cookie) {
  if (!route.needs_session()) return R"(Signature realm="guildhall")";
  if (bearer_token(request)) {
    return R"(Bearer realm="guildhall", error="invalid_token", error_description="The token is not valid")";
  }
  return fmt::format(R"({}Cookie realm="guildhall", cookie-name="{}")",
                     route.admits_tokens() ? R"(Bearer realm="guildhall", )" : "", session_cookie);
}

void refuse_query(const Request& request) {
  decode_query(
      request.query, [](JsonValue query, Decoder& decoder) { decode_object(query, nullptr, {}, {}, decoder); },
      Decoder::Unknown::refused);
}

void require_json(const Request& request) {
  static constexpr std::string_view json_type[] = {"application/json"};
  if (request.body.empty()) return;  // decoding reports the missing body
  require_media_type(request, json_type);
}

void require_media_type(const Request& request, std::span<const std::string_view> media_types) {
  std::string_view type = request.header("content-type");
  type = trim(type.substr(0, type.find(';')));
  std::string wanted;
  for (const std::string_view each : media_types) {
    if (is_text(type, each)) return;
    wanted.append(wanted.empty() ? "" : " or ").append(each);
  }
  throw Failure(Failure::Kind::unsupported_media, "UNSUPPORTED_MEDIA_TYPE",
                fmt::format("The body must be sent with Content-Type: {}.", wanted));
}

}  // namespace guildhall::api
