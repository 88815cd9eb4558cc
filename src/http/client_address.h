#pragma once

#include <span>
#include <string_view>

#include "base/address.h"
#include "http/request.h"

namespace guildhall::http {

// The address of whoever sent the request: the other end's, or, behind trusted proxies, the right-most
// address of X-Forwarded-For that is not itself a trusted proxy. What an untrusted sender writes there is
// never believed.
std::string_view client_address(const Request& request, std::span<const AddressRange> trusted_proxies);

}  // namespace guildhall::http
