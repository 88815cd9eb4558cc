#pragma once

#include <span>
#include <string_view>

#include "base/address.h"
#include "http/request.h"

namespace guildhall::http {

// Returns the address of the client: the peer's or, behind trusted proxies, the right-most address in X-Forwarded-For
// that is not a trusted proxy. Entries that an untrusted client has written are never used.
std::string_view client_address(const Request& request, std::span<const AddressRange> trusted_proxies);

}  // namespace guildhall::http
