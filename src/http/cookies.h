#pragma once

#include <chrono>
#include <string>
#include <string_view>

namespace guildhall::http {

// Returns the value of the first cookie of that name in a Cookie header; empty if there is none.
std::string_view cookie_value(std::string_view header, std::string_view name);

// Returns a Set-Cookie value: HttpOnly, SameSite=Lax, for the whole site. A lifetime of zero removes the cookie.
std::string set_cookie(std::string_view name, std::string_view value, std::chrono::seconds lifetime, bool secure);

}  // namespace guildhall::http
