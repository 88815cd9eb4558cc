#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include "base/task.h"
#include "http/quota.h"
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

// Accepts connections on one address with SO_REUSEPORT, so that every loop has its own listener on the same port.
class Listener {
 public:
  // Listens from the moment it is built. Throws std::runtime_error with a sentence for the operator if the address
  // is taken. `host` is an IP literal; port 0 picks a free one. When the connections of the process or of one address
  // are used up, the one that has been idle for longest is closed for a new one, if need be of another listener with
  // the same capacity; when none is idle, the new one gets 503.
  Listener(boost::asio::io_context& loop, const std::string& host, std::uint16_t port, Service& service,
           const Limits& limits, Capacity& capacity);
  ~Listener();

  std::uint16_t port() const;

  // Goes on serving, but every reply carries `Connection: close`. Call on the loop's thread.
  void drain();

  // Stops accepting, closes idle connections, and lets running requests finish (their replies carry
  // `Connection: close`). Call on the loop's thread.
  void stop();

  // Open connections; 0 after stop() means that everything has been answered. Call on the loop's thread.
  std::size_t connections() const;

  // Closes what is left.
  void abort();

 private:
  struct Impl;
  class OpenListeners;
  static OpenListeners& open_listeners();

  std::shared_ptr<Impl> impl_;
};

}  // namespace guildhall::http
