#pragma once

#include <chrono>
#include <string_view>

#include "base/task.h"
#include "http/reply.h"
#include "http/request.h"

namespace guildhall::http {

// The limit of most bodies. Larger ones are counted in a quota of their own (Capacity::large_request_bytes).
constexpr std::size_t usual_body_bytes_max = 256 * 1024;

// The limits of a connection. Each name ends with the unit and `max`.
struct Limits {
  std::size_t head_bytes_max = 16 * 1024;
  std::size_t header_fields_max = 100;
  std::size_t body_bytes_max = usual_body_bytes_max;  // a service may set a lower limit, but not a higher one
  std::chrono::milliseconds head_ms_max{10'000};
  std::chrono::milliseconds body_ms_max{30'000};
  std::chrono::milliseconds idle_ms_max{60'000};
  std::chrono::milliseconds answer_ms_max{30'000};  // then the client gets 503, even if the service is still running
  std::chrono::milliseconds write_ms_max{30'000};   // for each 64 KiB
};

// Answers requests. There is one service for each loop, called only from the loop's thread.
class Service {
 public:
  virtual ~Service() = default;

  // Returns the limit for the body of this request. Called after its head has been read (method, path, query, headers).
  virtual std::size_t body_bytes_max(const Request& head) = 0;

  // Never throws; an error becomes a reply. A body over the limit is not read, and `body_too_large` is set; the service
  // decides when to check that among its other checks. The connection is closed after such a reply.
  virtual Task<Reply> answer(Request& request) = 0;

  // The reply to a request that has not been answered within answer_ms_max. answer() continues; request.abandoned is
  // set to show that its reply will be dropped.
  virtual Reply timed_out(const Request& request) = 0;

  // The reply to bytes that are not a well-formed request (status 400, 408, 414, 417, 431, 501, 503, 505).
  virtual Reply malformed(int status, std::string_view sentence) = 0;
};

}  // namespace guildhall::http
