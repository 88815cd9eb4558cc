#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/log_lines.h"

namespace guildhall::api {

// The logged properties of a request. The route is logged as its pattern and never as the path, because paths contain
// ids and tokens.
struct RequestLine {
  std::string_view method;
  std::string_view route;
  int status = 0;
  std::chrono::nanoseconds took{};
  std::size_t bytes = 0;  // of the reply's body, without its streamed part
  std::string_view tenant;
  std::string_view user;
  std::string_view address;
  std::string_view request_id;
};

// Writes one line for each request of a configured share; statuses from 500 on are always logged. There is one
// RequestLog for each loop.
class RequestLog {
 public:
  // Without a buffer nothing is logged.
  RequestLog(log::LineWriter::Buffer* buffer, double share) : buffer_(buffer), share_(share) {}

  void add(const RequestLine& line);

 private:
  bool is_due(int status);

  log::LineWriter::Buffer* buffer_;
  double share_;
  double credit_ = 0;  // grows by the share with every request; a request is logged when it reaches 1
  std::string text_;   // reused, so that a line needs no allocation
};

}  // namespace guildhall::api
