#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "http/service.h"

namespace guildhall::http {

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
