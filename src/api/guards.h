#pragma once

#include "api/route.h"

// What a request must pass before its handler runs. Each throws the Failure that ends the request.
namespace guildhall::api {

// A page of another site must not make a browser change anything here.
void refuse_cross_site(const Request& request);

// Nor must a page of another host of the same site, whose requests bring the session cookie, too: an unsafe method with
// that cookie must come from this very host, as Sec-Fetch-Site says, or else Origin. A client that sends neither is no
// browser. For routes that look at the session.
void refuse_foreign_page(const Request& request, std::string_view session_cookie, std::string_view public_base_url);

// Whether the Origin header names the host and port of the request's Host header or of PUBLIC_BASE_URL.
bool is_own_origin(std::string_view origin, std::string_view host, std::string_view public_base_url);

// The tenant a call means: the session's; a header that names another one is refused.
TenantId tenant_of(const Call& call);

void require_permission(const Caller& caller, Access access);

// Whether the client sends `Prefer: handling=strict` (RFC 7240), which has unknown fields and parameters refused.
bool prefers_strict_handling(const Request& request);

// For a route without query parameters: every parameter is unknown.
void refuse_query(const Request& request);

// A body on a JSON endpoint must say that it is JSON, which a form of another site cannot.
void require_json(const Request& request);

}  // namespace guildhall::api
