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

// One request. Views point into the connection's buffer and are valid until the reply has been made.
struct Request {
  Method method = Method::other;
  std::string_view target;  // as sent: path and query
  std::string_view path;    // before the '?', not decoded
  std::string_view query;   // after the '?', not decoded
  bool http_1_0 = false;
  bool keep_alive = true;
  std::vector<Header> headers;
  std::string_view body;
  bool body_too_large = false;  // the body exceeds the limit and was not read
  bool abandoned = false;       // the client already got 503, so the reply will be dropped
  std::string_view peer;        // the address of the peer, without the port
  std::string request_id;       // the id that the client sent, if it is well-formed; otherwise a new one

  // Returns the value of the first header of that name (given in lower case; the comparison ignores case), or an empty
  // view.
  std::string_view header(std::string_view lower_case_name) const;
  bool has_header(std::string_view lower_case_name) const;
};

}  // namespace guildhall::http
