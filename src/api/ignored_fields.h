#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/route.h"

namespace guildhall::api {

// The fields that the JSON body of the route has, sorted. Empty if the route takes none.
std::vector<std::string> fields_of_body(const Route& route);

// The read-only fields of a request's body that had no effect: those that are not in `accepted` and whose value the
// record in the reply does not have. Separated by commas, for a header; at most 20 of them.
std::string ignored_fields(std::string_view body, std::string_view reply, const std::vector<std::string>& accepted);

}  // namespace guildhall::api
