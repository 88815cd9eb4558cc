#pragma once

#include <boost/asio/io_context.hpp>
#include <memory>
#include <optional>
#include <thread>

#include "api/api.h"
#include "app/clock_watch.h"
#include "app/list_fill.h"
#include "app/loop_probe.h"
#include "app/routes.h"
#include "base/secret_box.h"
#include "base/task.h"
#include "base/worker_pool.h"
#include "cache/memory/memory_store.h"
#include "http/listener.h"
#include "storage/storage.h"

namespace guildhall {

// The objects that all loops of the process share.
struct Engines {
  const Config& config;
  Metrics& metrics;
  Storage& storage;
  CacheEngine& cache;
  MemoryStore& local_windows;  // rate limits of this process, used while the cache does not answer
  WorkerPool& workers;         // for work that takes a core: password hashing
  WorkerPool& outbound;        // for calls to other servers
  const SecretBox* secrets;    // null: no SERVICE_MASTER_KEY, so tenants' secrets can be neither stored nor read
  const WebhookIntake& intake;
  const Events& events;
  const PaymentService& payments;
  const Messages& messages;
  const Media& media;
  ChatClient& chat;
  const ClockWatch& clock;
  Instant started;
  const std::atomic<bool>& draining;
  http::Capacity& capacity;
  api::ReplyRate& reply_rate;
  log::LineWriter& lines;
  std::optional<int> inherited_socket;  // from the service manager, instead of a socket of our own
  ChangeFeed& changes;
  const ListFill& list_fill;
  const PlatformTools& platform;
};

// One event loop: a thread with its own connections to clients, database and cache. A request stays on one loop.
class Loop {
 public:
  // Listens immediately; requests are served after start().
  Loop(const Engines& engines, std::uint16_t port);
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
  Auth auth_;
  Background background_{io_};
  DatabaseProbe database_probe_;
  Operations operations_;
  WebhookEndpoints webhook_endpoints_;
  chat::Bot bot_;
  LiveChanges changes_;
  Platform platform_;
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
