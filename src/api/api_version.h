#pragma once

#include <string>
#include <string_view>

#include "api/call.h"
#include "base/date.h"

// Versions of the API are dates (docs/api-stability.md). A request asks for one with the header Guildhall-Version; a
// token may have one that holds for its requests without the header.
namespace guildhall::api {

// The present version: the date of the last change that a client may notice.
constexpr std::string_view api_version = "2026-11-18";

// Whether a client may ask for this version: it is not more than a year older than the present one, and not in the
// future. Support never ends because time passes, only with an update of the server.
bool is_supported_version(Date version, Instant now);

// The version that answers the request. Where it asks for one that is not supported, that is the present one.
std::string version_of(const Request& request, const Caller* caller, Instant now);

// Throws VERSION_NOT_SUPPORTED if the request or its token asks for a version that is not supported.
void require_supported_version(const Request& request, const Caller* caller, Instant now);

// Adds the headers of a reply with something that will be removed: since when it is deprecated, and when it ends.
void add_deprecation(Reply& reply);

}  // namespace guildhall::api
