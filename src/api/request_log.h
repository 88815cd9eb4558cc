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
  std::string_view token;  // the id of the API token
  std::string_view address;
  std::string_view request_id;
  std::string_view trace_id;
};

// Takes a share of many things, evenly.
class Share {
 public:
  explicit Share(double share) : share_(share) {}
  bool take_next() {
    credit_ += share_;
    if (credit_ < 1) return false;
    credit_ -= 1;
    return true;
  }

 private:
  double share_;
  double credit_ = 0;  // grows by the share with everything; something is taken when it reaches 1
};

// Writes one line for each request of a configured share. Statuses from 500 on and slow requests are always logged.
// There is one RequestLog for each loop.
class RequestLog {
 public:
  // Without a buffer nothing is logged.
  RequestLog(log::LineWriter::Buffer* buffer, double share, std::chrono::milliseconds slow)
      : buffer_(buffer), share_(share), slow_(slow) {}

  void add(const RequestLine& line);

 private:
  log::LineWriter::Buffer* buffer_;
  Share share_;
  std::chrono::nanoseconds slow_;
  std::string text_;  // reused, so that a line needs no allocation
};

}  // namespace guildhall::api
