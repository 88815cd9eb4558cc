#include "http/guards.h"

#include "http/ascii.h"

namespace guildhall::http {
namespace {

std::string_view permission_for(Access access) {
  switch (access) {
    case Access::data_read:
      return "data.read";
    case Access::data_write:
      return "data.write";
    case Access::admin:
      return "admin.access";
    case Access::platform_admin:
      return "PlatformAdmin";
    case Access::open:
    case Access::optional:
    case Access::session:
      return "";
  }
  return "";
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

void refuse_cross_site(const Request& request) {
  if (request.method == Method::get || request.method == Method::head) return;
  if (request.header("sec-fetch-site") == "cross-site") {
    throw forbidden("CROSS_SITE", "Requests from other sites may not change anything.");
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
  for (const Header& header : request.headers) {
    if (!is_text(header.name, "prefer")) continue;
    for (std::string_view list = header.value; !list.empty();) {
      const std::string_view preference = list.substr(0, list.find(','));
      list.remove_prefix(std::min(list.size(), preference.size() + 1));
      if (is_strict_handling(preference)) return true;
    }
  }
  return false;
}

void refuse_query(const Request& request) {
  decode_query(
      request.query,
      [](JsonValue query, Decoder& decoder) { decode_object(query, nullptr, {}, {}, decoder); },
      Decoder::Unknown::refused);
}

void require_json(const Request& request) {
  if (request.body.empty()) return;  // decoding says what is missing
  std::string_view type = request.header("content-type");
  if (!is_text(trim(type.substr(0, type.find(';'))), "application/json")) {
    throw Failure(Failure::Kind::unsupported_media, "UNSUPPORTED_MEDIA_TYPE",
                  "The body must be sent with Content-Type: application/json.");
  }
}

}  // namespace guildhall::http
