#pragma once

#include <string>
#include <string_view>

namespace guildhall::http {

// Compresses a body for `Content-Encoding: gzip`. Throws std::runtime_error if there is not enough memory.
std::string gzip(std::string_view body);

}  // namespace guildhall::http
