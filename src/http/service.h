#pragma once

#include <chrono>
#include <string_view>

#include "base/task.h"
#include "http/reply.h"
#include "http/request.h"

namespace guildhall::http {

// A limit on everything; the unit is last.
struct Limits {
  std::size_t head_bytes_max = 16 * 1024;
  std::size_t header_fields_max = 100;
  std::size_t body_bytes_max = 256 * 1024;  // the connection's own limit; a service's may be lower, never higher
  std::chrono::milliseconds head_ms_max{10'000};
  std::chrono::milliseconds body_ms_max{30'000};
  std::chrono::milliseconds idle_ms_max{60'000};
  std::chrono::milliseconds answer_ms_max{30'000};  // after that the client gets 503, whatever the service still does
  std::chrono::milliseconds write_ms_max{30'000};   // for 64 KiB
};

// What answers requests. One per loop; called only from the loop's thread.
class Service {
 public:
  virtual ~Service() = default;

  // How large a body this request may have; asked once its head has been read (method, path, query, headers).
  virtual std::size_t body_bytes_max(const Request& head) = 0;

  // Never throws; an error becomes a reply. A body over the limit arrives as `body_too_large`, unread: the service
  // decides in which order that counts among its other checks. The connection is closed after such a reply.
  virtual Task<Reply> answer(Request& request) = 0;

  // The reply to a request that has not been answered within answer_ms_max. answer() goes on; request.abandoned tells
  // it that its reply will be dropped.
  virtual Reply timed_out(const Request& request) = 0;

  // The reply to bytes that are not a well-formed request (status 400, 408, 414, 417, 431, 501, 503, 505).
  virtual Reply malformed(int status, std::string_view sentence) = 0;
};

}  // namespace guildhall::http
