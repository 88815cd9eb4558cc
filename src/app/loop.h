#pragma once

#include <boost/asio/io_context.hpp>
#include <memory>
#include <optional>
#include <thread>

#include "api/api.h"
#include "app/loop_probe.h"
#include "base/address.h"
#include "base/metrics.h"
#include "base/services.h"
#include "base/task.h"
#include "cache/cache.h"
#include "http/listener.h"
#include "storage/storage.h"

namespace guildhall {

// One event loop: a thread with its own connections to clients, database and cache. A request stays on one loop.
class Loop {
 public:
  // Listens immediately; requests are served after start().
  // `inherited_socket`: from the service manager, instead of a socket of our own.
  Loop(const Services& shared, std::uint16_t port, std::optional<int> inherited_socket);
  ~Loop();

  void start();
  // May be called from any thread. Requests are still served; their replies close the connections.
  void begin_drain();

  // May be called from any thread. Requests that are running get 10 seconds.
  void begin_stop();

  void join();

  // False if the loop has not run since the last call. May be called from one thread.
  bool is_alive() { return probe_.answered(); }

  std::uint16_t port() const { return listener_->port(); }

  std::uint16_t metrics_port() const { return metrics_listener_ ? metrics_listener_->port() : 0; }

  const std::vector<api::Route>& routes() const { return api_.routes(); }

  // Adds the listener for /metrics to this loop. Call it before start().
  void listen_for_metrics(const Address& address);

 private:
  Task<> drain();
  Task<> answer_last_requests();

  Metrics& metrics_;
  // One thread runs it, so its sockets need no locks; work may still be posted from other threads.
  boost::asio::io_context io_{BOOST_ASIO_CONCURRENCY_HINT_UNSAFE_IO};
  std::unique_ptr<Database> db_;
  std::unique_ptr<Cache> cache_;
  Background background_{io_};
  Services services_;
  api::Api api_;
  std::optional<http::Listener> listener_;
  std::unique_ptr<api::Api> metrics_api_;
  http::Capacity metrics_capacity_{.connections{64, 64}};  // separate: monitoring must work when clients use all others
  std::optional<http::Listener> metrics_listener_;
  std::chrono::milliseconds idle_time_;  // during stopping; for requests that are on their way
  LoopProbe probe_{io_};
  std::thread thread_;
};

}  // namespace guildhall
