#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace guildhall::http {

enum class Method { get, head, post, put, patch, del, options, other };

std::string_view to_string(Method method);

struct Header {
  std::string_view name;
  std::string_view value;
};

// One request. Views point into the connection's buffer and hold until the reply has been made.
struct Request {
  Method method = Method::other;
  std::string_view target;  // as sent: path and query
  std::string_view path;    // before the '?', not decoded
  std::string_view query;   // after the '?', not decoded
  bool http_1_0 = false;
  bool keep_alive = true;
  std::vector<Header> headers;
  std::string_view body;
  bool body_too_large = false;  // the body was over the limit and has not been read
  bool abandoned = false;       // the client was answered with 503 meanwhile: nobody needs the reply any more
  std::string_view peer;        // the other end's address, without port
  std::string request_id;       // the client's, if it is well-formed, otherwise a new one

  // The first header of that name (given in lower case; compared without case), or an empty view.
  std::string_view header(std::string_view lower_case_name) const;
  bool has_header(std::string_view lower_case_name) const;
};

}  // namespace guildhall::http
