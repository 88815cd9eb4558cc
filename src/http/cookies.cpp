#include "http/cookies.h"

#include <fmt/format.h>

#include "base/ascii.h"

namespace guildhall::http {

std::string_view cookie_value(std::string_view header, std::string_view name) {
  while (!header.empty()) {
    const std::string_view whole = header.substr(0, header.find(';'));
    header.remove_prefix(std::min(header.size(), whole.size() + 1));
    const std::string_view pair = trim(whole);
    const std::size_t equals = pair.find('=');
    if (equals != std::string_view::npos && trim(pair.substr(0, equals)) == name) return trim(pair.substr(equals + 1));
  }
  return {};
}

std::string set_cookie(std::string_view name, std::string_view value, std::chrono::seconds lifetime, bool secure) {
  return fmt::format("{}={}; HttpOnly; SameSite=Lax; Path=/; Max-Age={}{}", name, value, lifetime.count(),
                     secure ? "; Secure" : "");
}

}  // namespace guildhall::http
