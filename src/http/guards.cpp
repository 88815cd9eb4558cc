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

void require_json(const Request& request) {
  if (request.body.empty()) return;  // decoding says what is missing
  std::string_view type = request.header("content-type");
  if (!is_text(trim(type.substr(0, type.find(';'))), "application/json")) {
    throw Failure(Failure::Kind::unsupported_media, "UNSUPPORTED_MEDIA_TYPE",
                  "The body must be sent with Content-Type: application/json.");
  }
}

}  // namespace guildhall::http
