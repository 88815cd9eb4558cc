#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "http/service.h"

namespace guildhall::http {

// Accepts connections on one address with SO_REUSEPORT, so that every loop has its own listener on the same port.
class Listener {
 public:
  // The constructor starts listening. Throws std::runtime_error with a sentence for the operator if the address is in
  // use. `host` is an IP literal; port 0 selects a free port. When the limit of connections of the process or of one
  // address is reached, a new connection replaces the one that has been idle for longest, on this listener or on
  // another one with the same capacity. If none is idle, the new connection gets 503.
  Listener(boost::asio::io_context& loop, const std::string& host, std::uint16_t port, Service& service,
           const Limits& limits, Capacity& capacity);

  // Accepts connections on a listening socket that another process has opened. The descriptor is duplicated, so several
  // listeners can share it. The socket stays open in the other process: connections that are not accepted by stop() or
  // stop_accepting() wait for the next process. Throws std::runtime_error if the descriptor is not a listening socket.
  Listener(boost::asio::io_context& loop, int socket, Service& service, const Limits& limits, Capacity& capacity);
  ~Listener();

  std::uint16_t port() const;

  // Continues to serve, but every reply has `Connection: close`, and live replies end. Must be called on the loop's
  // thread.
  void drain();

  // Stops accepting, and continues with existing connections like drain(). Must be called on the loop's thread.
  void stop_accepting();

  // Stops accepting, closes idle connections, and lets running requests finish; their replies have `Connection: close`.
  // Must be called on the loop's thread.
  void stop();

  // The number of open connections; 0 after stop() means that all requests have been answered. Must be called on the
  // loop's thread.
  std::size_t connections() const;

  // Closes all remaining connections.
  void abort();

 private:
  struct Impl;
  class OpenListeners;
  static OpenListeners& open_listeners();

  std::shared_ptr<Impl> impl_;
};

}  // namespace guildhall::http
