#include "http/request.h"

#include <algorithm>

#include "base/ascii.h"

namespace guildhall::http {

std::string_view to_string(Method method) {
  switch (method) {
    case Method::get:
      return "GET";
    case Method::head:
      return "HEAD";
    case Method::post:
      return "POST";
    case Method::put:
      return "PUT";
    case Method::patch:
      return "PATCH";
    case Method::del:
      return "DELETE";
    case Method::options:
      return "OPTIONS";
    case Method::other:
      break;
  }
  return "OTHER";
}

namespace {

auto find(const std::vector<Header>& headers, std::string_view lower_case_name) {
  return std::ranges::find_if(headers, [&](const Header& h) { return is_text(h.name, lower_case_name); });
}

}  // namespace

std::string_view Request::header(std::string_view lower_case_name) const {
  const auto found = find(headers, lower_case_name);
  return found == headers.end() ? std::string_view{} : found->value;
}

bool Request::has_header(std::string_view lower_case_name) const {
  return find(headers, lower_case_name) != headers.end();
}

}  // namespace guildhall::http
