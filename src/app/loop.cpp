#include "app/loop.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "app/config.h"
#include "app/slices.h"
#include "base/log.h"
#include "cache/memory/memory_store.h"
#include "features/identity/routes.h"
#include "features/operations/routes.h"
#include "features/tenancy/allowed_origins.h"
#include "storage/storage.h"

namespace guildhall {
namespace {

constexpr std::chrono::seconds drain_max{10};

// Behind an inherited socket no request may fail during a restart. A client may have sent a request on an idle
// connection just before it is closed, so idle connections wait for one more request.
constexpr std::chrono::seconds inherited_idle_time{1};

api::ApiOptions api_options(const Services& shared, Database& db) {
  const auto& config = shared.get<const Config>();
  return {.tenant_requests_per_minute = config.rate_limit_tenant_per_min,
          .rate_limit_disabled = config.rate_limit_disabled,
          .local_windows = &shared.get<MemoryStore>(),
          .trusted_proxies = config.trusted_proxies,
          .reply_bytes = &shared.get<http::Capacity>().reply_bytes,
          .reply_rate = &shared.get<api::ReplyRate>(),
          .request_lines = config.log_requests ? &shared.get<log::LineWriter>().new_buffer() : nullptr,
          .logged_share = config.log_requests.value_or(0),
          .slow_request = std::chrono::milliseconds(config.slow_request_ms),
          .traced_share = config.trace_requests.value_or(0),
          .request_time_max = std::chrono::milliseconds(config.request_timeout_ms),
          .session_cookie = Sessions::cookie_name,
          .public_base_url = config.public_base_url,
          .allows_origin = [&db](const TenantId& tenant, std::string_view origin) {
            return guildhall::allows_origin(db, tenant, origin);
          }};
}

// The largest body that a route takes.
std::size_t largest_body(const std::vector<api::Route>& routes) {
  std::size_t bytes = 0;
  for (const api::Route& route : routes) bytes = std::max(bytes, route.body_bytes_max);
  return bytes;
}

// Adds the loop's own objects and makes those of the slices. Returns the routes, which use them.
std::vector<api::Route> routes_of_loop(Services& services, Database& db, Cache& cache, Background& background) {
  services.add(db, cache, background);
  const auto& slices = services.get<const Slices>();
  make_loop_objects(slices, services);
  return routes_of(slices, services);
}

}  // namespace

Loop::Loop(const Services& shared, std::uint16_t port, std::optional<int> inherited_socket)
    : metrics_(shared.get<Metrics>()),
      db_(shared.get<Storage>().open(io_)),
      cache_(shared.get<CacheEngine>().open(io_)),
      services_(&shared),
      api_(routes_of_loop(services_, *db_, *cache_, background_), authenticator(services_.get<Auth>()), *cache_,
           metrics_, api_options(shared, *db_)),
      idle_time_(inherited_socket ? inherited_idle_time : std::chrono::seconds(0)) {
  const auto& config = shared.get<const Config>();
  auto& capacity = shared.get<http::Capacity>();
  const http::Limits limits{.body_bytes_max = largest_body(api_.routes()),
                            .answer_ms_max = std::chrono::milliseconds(config.request_timeout_ms)};
  if (inherited_socket) {
    listener_.emplace(io_, *inherited_socket, api_, limits, capacity);
  } else {
    listener_.emplace(io_, config.listen.host, port, api_, limits, capacity);
  }
}

Loop::~Loop() = default;

void Loop::listen_for_metrics(const Address& address) {
  const auto no_caller = [](const http::Request&) -> Task<std::shared_ptr<const api::Caller>> { co_return nullptr; };
  metrics_api_ = std::make_unique<api::Api>(metrics_routes(metrics_), no_caller, *cache_, metrics_, api::ApiOptions{});
  metrics_listener_.emplace(io_, address.host, address.port, *metrics_api_, http::Limits{}, metrics_capacity_);
}

void Loop::start() {
  thread_ = std::thread([this] {
    const auto work = boost::asio::make_work_guard(io_);
    io_.run();
  });
}

void Loop::begin_drain() {
  boost::asio::post(io_, [this] { listener_->drain(); });
}

void Loop::begin_stop() {
  boost::asio::co_spawn(io_, drain(), boost::asio::detached);
}

void Loop::join() {
  if (thread_.joinable()) thread_.join();
}

Task<> Loop::answer_last_requests() {
  listener_->stop_accepting();
  const auto until = std::chrono::steady_clock::now() + idle_time_;
  boost::asio::steady_timer timer(io_);
  while (std::chrono::steady_clock::now() < until) {
    // The first pause also lets a connection begin that was accepted just before.
    timer.expires_after(std::chrono::milliseconds(10));
    co_await timer.async_wait(boost::asio::use_awaitable_t<boost::asio::io_context::executor_type>());
    if (listener_->connections() == 0) co_return;
  }
}

Task<> Loop::drain() {
  if (metrics_listener_) metrics_listener_->stop();
  co_await answer_last_requests();
  listener_->stop();
  const auto connections = [this] {
    return listener_->connections() + (metrics_listener_ ? metrics_listener_->connections() : 0);
  };
  const auto deadline = std::chrono::steady_clock::now() + drain_max;
  boost::asio::steady_timer timer(io_);
  bool aborted = false;
  // Requests use the shared objects as long as their connections count, so this waits until there is none. For
  // background work it waits until the deadline.
  while (connections() > 0 || (background_.running() > 0 && std::chrono::steady_clock::now() < deadline)) {
    if (!aborted && connections() > 0 && std::chrono::steady_clock::now() > deadline) {
      log::warn("closing connections that did not finish", {{"count", connections()}});
      listener_->abort();
      if (metrics_listener_) metrics_listener_->abort();
      aborted = true;
    }
    timer.expires_after(std::chrono::milliseconds(10));
    co_await timer.async_wait(boost::asio::use_awaitable_t<boost::asio::io_context::executor_type>());
  }
  io_.stop();
}

}  // namespace guildhall
