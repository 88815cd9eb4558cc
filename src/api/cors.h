#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "api/route.h"

// Requests of browsers from other origins. A tenant lists the origins whose pages may read replies to requests with a
// token of the tenant, and the tenant's public views. A request with a cookie is never answered so.
namespace guildhall::api {

// Whether the tenant lists the origin; with an empty tenant: whether any tenant does.
using AllowsOrigin = std::function<Task<bool>(const TenantId& tenant, std::string_view origin)>;

// An open route that shows something of the tenant that its path names.
bool is_public_view(const Route& route);

// The tenant whose list decides who may read the reply. Empty: no page of another origin may.
TenantId tenant_of_readers(const Call& call, const Route& route);

// The question of a browser whether it may send a request. It carries neither a token nor a tenant.
bool is_preflight(const Request& request);

// The answer to a preflight of an origin that may send requests with these methods.
Reply preflight_reply(std::string_view origin, std::string methods);

// Lets pages of the origin read the reply.
void allow_origin(Reply& reply, std::string_view origin);

}  // namespace guildhall::api
