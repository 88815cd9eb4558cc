#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/log_lines.h"

namespace guildhall::api {

// What is logged of a request: the pattern of its route, never the path itself, since ids and tokens are in there.
struct RequestLine {
  std::string_view method;
  std::string_view route;
  int status = 0;
  std::chrono::nanoseconds took{};
  std::size_t bytes = 0;  // of the reply's body, as far as it was made at once
  std::string_view tenant;
  std::string_view user;
  std::string_view address;
  std::string_view request_id;
};

// One line for a request, for a share of them; statuses from 500 on are always logged. One per loop.
class RequestLog {
 public:
  // Without a buffer nothing is logged.
  RequestLog(log::LineWriter::Buffer* buffer, double share) : buffer_(buffer), share_(share) {}

  void add(const RequestLine& line);

 private:
  bool is_due(int status);

  log::LineWriter::Buffer* buffer_;
  double share_;
  double credit_ = 0;  // grows by the share with every request; at 1 one is logged
  std::string text_;   // kept so that a line needs no allocation
};

}  // namespace guildhall::api
