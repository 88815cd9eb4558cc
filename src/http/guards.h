#pragma once

#include "http/route.h"

// What a request must pass before its handler runs. Each throws the Failure that ends the request.
namespace guildhall::http {

// A page of another site must not make a browser change anything here.
void refuse_cross_site(const Request& request);

// The tenant a call means: the session's; a header that names another one is refused.
TenantId tenant_of(const Call& call);

void require_permission(const Caller& caller, Access access);

// A body on a JSON endpoint must say that it is JSON, which a form of another site cannot.
void require_json(const Request& request);

}  // namespace guildhall::http
