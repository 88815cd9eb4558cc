#pragma once

#include "http/route.h"

// What a request must pass before its handler runs. Each throws the Failure that ends the request.
namespace guildhall::http {

// A page of another site must not make a browser change anything here.
void refuse_cross_site(const Request& request);

// The tenant a call means: the session's; a header that names another one is refused.
TenantId tenant_of(const Call& call);

void require_permission(const Caller& caller, Access access);

// Whether the client sends `Prefer: handling=strict` (RFC 7240), which has unknown fields and parameters refused.
bool prefers_strict_handling(const Request& request);

// For a route without query parameters: every parameter is unknown.
void refuse_query(const Request& request);

// A body on a JSON endpoint must say that it is JSON, which a form of another site cannot.
void require_json(const Request& request);

}  // namespace guildhall::http
