#include "api/cors.h"

namespace guildhall::api {
namespace {

constexpr std::string_view tenant_parameter = "/:tenantId/";

constexpr const char* cors_request_headers =
    "Accept, Authorization, Content-Type, Guildhall-Version, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID,"
    " Prefer, traceparent, tracestate, x-request-id, x-tenant-id";
constexpr const char* cors_reply_headers =
    "Deprecation, ETag, Guildhall-Version, Idempotent-Replayed, Link, Preference-Applied, RateLimit-Limit,"
    " RateLimit-Remaining, RateLimit-Reset, Retry-After, Sunset, x-request-id";
constexpr const char* preflight_seconds_max = "600";

}  // namespace

bool is_public_view(const Route& route) {
  return route.access == Access::open && route.method == Method::get &&
         route.path.find(tenant_parameter) != std::string::npos;
}

TenantId tenant_of_readers(const Call& call, const Route& route) {
  if (call.request.has_header("cookie")) return {};
  if (call.caller) return call.caller->token_id.empty() ? TenantId() : call.caller->tenant;
  if (!is_public_view(route)) return {};
  const std::string_view before(route.path.data(), route.path.find(tenant_parameter));
  return TenantId(call.param(static_cast<std::size_t>(std::ranges::count(before, ':'))));
}

bool is_preflight(const Request& request) {
  return request.method == Method::options && request.path.starts_with("/api/") && request.has_header("origin") &&
         request.has_header("access-control-request-method");
}

Reply preflight_reply(std::string_view origin, std::string methods) {
  return Reply{.status = 204, .content_type = ""}
      .with("Access-Control-Allow-Origin", std::string(origin))
      .with("Access-Control-Allow-Methods", std::move(methods))
      .with("Access-Control-Allow-Headers", cors_request_headers)
      .with("Access-Control-Max-Age", preflight_seconds_max)
      .with("Vary", "Origin, Access-Control-Request-Method, Access-Control-Request-Headers");
}

void allow_origin(Reply& reply, std::string_view origin) {
  reply.with("Access-Control-Allow-Origin", std::string(origin))
      .with("Access-Control-Expose-Headers", cors_reply_headers);
}

}  // namespace guildhall::api
