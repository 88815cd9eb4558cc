#pragma once

#include "api/route.h"

// The checks that run before a handler. Each throws the Failure that ends the request.
namespace guildhall::api {

// Refuses a request that changes something and was sent by a browser for a page of another site.
void refuse_cross_site(const Request& request);

// Refuses the same from a page of another host of the same site, because its requests carry the session cookie, too. An
// unsafe method with that cookie must come from this host according to Sec-Fetch-Site or, without it, Origin. A client
// that sends neither header is not a browser. For routes that read the session.
void refuse_foreign_page(const Request& request, std::string_view session_cookie, std::string_view public_base_url);

// True if the Origin header names the host and port of the request's Host header or of PUBLIC_BASE_URL.
bool is_own_origin(std::string_view origin, std::string_view host, std::string_view public_base_url);

// Returns the tenant of the call, which is the session's. Throws if a header names another one.
TenantId tenant_of(const Call& call);

void require_permission(const Caller& caller, Access access);

// True if the client sends `Prefer: handling=strict` (RFC 7240). Unknown fields and parameters are then refused.
bool prefers_strict_handling(const Request& request);

// Refuses a call in whose path an id is missing: /api/data/customer//address.
void require_path_parameters(const Call& call, const Route& route);

// The token of an `Authorization: Bearer` header; nothing without such a header.
std::optional<std::string_view> bearer_token(const Request& request);

// The challenge of a 401 (RFC 9110): how a caller of the route authenticates. It says so if a token was sent that is
// not valid.
std::string challenge_of(const Route& route, const Request& request, std::string_view session_cookie);

// Refuses every query parameter; for routes that have none.
void refuse_query(const Request& request);

// Refuses a body whose content type is not JSON. An HTML form of another site cannot send that content type.
void require_json(const Request& request);

// Refuses a body whose content type is not one of these.
void require_media_type(const Request& request, std::span<const std::string_view> media_types);

}  // namespace guildhall::api
