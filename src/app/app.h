#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "api/route.h"
#include "app/config.h"
#include "outbox/events.h"
#include "storage/storage.h"

namespace guildhall {

class Slice;

// The whole server, wired by hand: `App app(config); app.run();`. A test builds the same App on port 0 with a fresh
// database.
class App {
 public:
  // Opens and migrates the database, opens the cache, and listens. Throws std::runtime_error with a sentence for the
  // operator when one of these fails. With the descriptor of a listening socket it serves there instead of LISTEN_ADDR.
  // `added`: slices besides those of the server, for tests.
  explicit App(Config config, std::optional<int> inherited_socket = std::nullopt,
               const std::vector<Slice>* added = nullptr);

  // Calls stop() if it has not been called.
  ~App();

  // Serves on the loops' threads until stop(); returns at once.
  void start();

  // Makes `/readyz` answer 503. Requests are still served, with `Connection: close` in their replies.
  void drain();

  // Stops accepting connections, waits at most 10 seconds for running requests, and closes everything. May be called
  // from any thread except a loop's.
  void stop();

  // Serves until SIGTERM or SIGINT, then drains for DRAIN_SECONDS, stops and closes everything. When that takes longer
  // than 15 seconds after the drain, the process exits with code 70. Keeps the service manager informed. Nothing but
  // the destructor may be called after it.
  void run();

  std::uint16_t port() const;
  std::uint16_t metrics_port() const;  // 0: metrics are not served
  Storage& storage();
  const Events& events() const;

  // All routes, in the order of the route table.
  const std::vector<api::Route>& routes() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// The messages of config_warnings, for the log.
std::vector<std::string> warnings_of(const Config& config);

}  // namespace guildhall
