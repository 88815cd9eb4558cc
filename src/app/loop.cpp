#include "app/loop.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "app/app.h"
#include "app/event_list.h"
#include "base/log.h"
#include "features/tenancy/allowed_origins.h"

namespace guildhall {
namespace {

constexpr std::chrono::seconds drain_max{10};

// Behind an inherited socket no request may fail during a restart. A client may have sent a request on an idle
// connection just before it is closed, so idle connections wait for one more request.
constexpr std::chrono::seconds inherited_idle_time{1};

std::vector<api::Route> routes_of(Database& db, Auth& auth, Operations& operations, WebhookEndpoints& endpoints,
                                  const chat::Bot& bot, LiveChanges& changes, const Platform& platform,
                                  const Engines& engines) {
  Services services{.db = db,
                    .auth = auth,
                    .operations = operations,
                    .intake = engines.intake,
                    .webhook_endpoints = endpoints,
                    .events = engines.events,
                    .payments = engines.payments,
                    .messages = engines.messages,
                    .bot = bot,
                    .media = engines.media,
                    .changes = changes,
                    .platform = platform,
                    .config = engines.config};
  return all_routes(services);
}

api::ApiOptions api_options(const Engines& engines, Database& db) {
  const Config& config = engines.config;
  return {.tenant_requests_per_minute = config.rate_limit_tenant_per_min,
          .rate_limit_disabled = config.rate_limit_disabled,
          .local_windows = &engines.local_windows,
          .trusted_proxies = config.trusted_proxies,
          .reply_bytes = &engines.capacity.reply_bytes,
          .reply_rate = &engines.reply_rate,
          .request_lines = config.log_requests ? &engines.lines.new_buffer() : nullptr,
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

SessionOptions session_options(const Config& config) {
  return {.signing_secrets = config.session_signing_secrets,
          .ttl = std::chrono::seconds(config.session_ttl_seconds),
          .secure_cookies = config.secure_cookies(),
          .members_have_data_access = config.member_data_access == MemberDataAccess::full,
          .home_tenant = config.default_tenant};
}

std::vector<std::string> present_warnings(const ClockWatch& clock, const ListFill& list_fill) {
  std::vector<std::string> warnings = list_fill.warnings();
  if (const auto warning = clock.warning()) warnings.push_back(*warning);
  return warnings;
}

// The largest body that a route takes.
std::size_t largest_body(const std::vector<api::Route>& routes) {
  std::size_t bytes = 0;
  for (const api::Route& route : routes) bytes = std::max(bytes, route.body_bytes_max);
  return bytes;
}

LocalSignInOptions sign_in_options(const Config& config, const SecretBox* secrets) {
  return {.default_tenant = config.default_tenant,
          .admin_username = config.local_admin_username,
          .admin_password = config.local_admin_password,
          .secrets = secrets};
}

ChatSignInOptions chat_options(const Config& config) {
  return {.environment = config.chat_oauth,
          .home_tenant = config.default_tenant,
          .admin_username = config.local_admin_username,
          .own_callback = config.public_base_url + "/auth/chat/callback"};
}

}  // namespace

Loop::Loop(const Engines& engines, std::uint16_t port)
    : metrics_(engines.metrics),
      db_(engines.storage.open(io_)),
      cache_(engines.cache.open(io_)),
      auth_{.db = *db_,
            .events = engines.events,
            .workers = engines.workers,
            .sessions = Sessions(*cache_, *db_, session_options(engines.config)),
            .local = LocalSignIn(*db_, *cache_, engines.workers, engines.metrics,
                                 sign_in_options(engines.config, engines.secrets)),
            .local_enabled = engines.config.local_auth_enabled,
            .sign_ins_per_minute = engines.config.rate_limit_sign_in_per_min,
            .home_tenant = engines.config.default_tenant,
            .admin_username = engines.config.local_admin_username,
            .admin_configured = engines.config.local_auth_enabled && !engines.config.local_admin_password.empty(),
            .chat = ChatSignIn(*db_, engines.events, *cache_, engines.outbound, engines.secrets, engines.metrics,
                               chat_options(engines.config)),
            .chat_environment = engines.config.chat_oauth,
            .secrets = engines.secrets,
            .cache = *cache_,
            .email = engines.config,
            .public_base_url = engines.config.public_base_url},
      database_probe_(*db_, engines.storage, background_),
      operations_{.config = engines.config,
                  .variables = config_variables(),
                  .database = database_probe_,
                  .cache = *cache_,
                  .started = engines.started,
                  .draining = engines.draining,
                  .present_warnings =
                      [&clock = engines.clock, &list_fill = engines.list_fill] {
                        return guildhall::present_warnings(clock, list_fill);
                      }},
      webhook_endpoints_{
          .db = *db_,
          .secrets = engines.secrets,
          .rules = {.targets = engines.config.webhook_private_targets ? TargetRule::any : TargetRule::public_https,
                    .event_names = published_event_names()}},
      bot_{.db = *db_,
           .cache = *cache_,
           .outbound = engines.outbound,
           .background = background_,
           .config = engines.config,
           .platform = engines.config,
           .identity = engines.config,
           .installation = engines.config,
           .events = engines.events,
           .payments = engines.payments,
           .client = engines.chat,
           .sessions = auth_.sessions,
           .ids = chat::CustomIds(engines.config.session_signing_secrets),
           .limiter = api::RateLimiter(*cache_, engines.metrics, engines.config.rate_limit_disabled)},
      changes_{.db = *db_,
               .feed = engines.changes,
               .authenticate = authenticator(auth_),
               .session_cookie = Sessions::cookie_name,
               .draining = engines.draining,
               .heartbeat_every = std::chrono::seconds(engines.config.change_heartbeat_seconds)},
      platform_{.db = *db_, .workers = engines.outbound, .tools = engines.platform},
      api_(routes_of(*db_, auth_, operations_, webhook_endpoints_, bot_, changes_, platform_, engines),
           authenticator(auth_), *cache_, engines.metrics, api_options(engines, *db_)),
      idle_time_(engines.inherited_socket ? inherited_idle_time : std::chrono::seconds(0)) {
  const http::Limits limits{.body_bytes_max = largest_body(api_.routes()),
                            .answer_ms_max = std::chrono::milliseconds(engines.config.request_timeout_ms)};
  if (engines.inherited_socket) {
    listener_.emplace(io_, *engines.inherited_socket, api_, limits, engines.capacity);
  } else {
    listener_.emplace(io_, engines.config.listen.host, port, api_, limits, engines.capacity);
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
