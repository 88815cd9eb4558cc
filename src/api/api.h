#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "api/cors.h"
#include "api/rate_limiter.h"
#include "api/reply_rate.h"
#include "api/request_log.h"
#include "api/router.h"
#include "base/address.h"
#include "base/metrics.h"
#include "base/trace.h"
#include "cache/cache.h"
#include "http/service.h"

namespace guildhall::api {

// Returns the caller of a request that has a valid session or API token. Throws Failure unavailable if the session
// cannot be checked.
using Authenticate = std::function<Task<std::shared_ptr<const Caller>>(const Request&)>;

struct ApiOptions {
  std::int64_t tenant_requests_per_minute = 1000;
  bool rate_limit_disabled = false;
  MemoryStore* local_windows = nullptr;  // shared by all loops; replaces an unavailable cache for some limits
  std::vector<AddressRange> trusted_proxies{};
  http::Quota* reply_bytes = nullptr;                // limits the memory of unsent replies; null: no limit
  ReplyRate* reply_rate = nullptr;                   // limits list pages; null: no limit
  log::LineWriter::Buffer* request_lines = nullptr;  // null: requests are not logged
  double logged_share = 1;
  std::chrono::milliseconds slow_request{1'000};       // slower requests are always logged
  double traced_share = 0;                             // of the requests whose spans are recorded and exported
  std::chrono::milliseconds request_time_max{30'000};  // the listener's answer_ms_max, for the metrics
  std::string_view session_cookie{};                   // the name of the cookie
  std::string public_base_url{};
  AllowsOrigin allows_origin{};  // null: no page of another origin may read a reply
};

// Answers requests with the route table: finds the route, runs the guards in the order that the contract prescribes
// (404, 405, 429, 413, 401, 403, 415), calls the handler, and converts an exception into a reply. There is one Api for
// each loop.
class Api final : public http::Service {
 public:
  Api(std::vector<Route> routes, Authenticate authenticate, Cache& cache, Metrics& metrics, ApiOptions options);

  const std::vector<Route>& routes() const { return router_.routes(); }

  std::size_t body_bytes_max(const Request& head) override;
  Task<Reply> answer(Request& request) override;
  Reply timed_out(const Request& request) override;
  Reply malformed(int status, std::string_view sentence) override;

 private:
  struct RouteMetrics {
    std::array<Counter*, 6> by_status_class{};
    Histogram* seconds = nullptr;
  };
  RouteMetrics metrics_of(Metrics& metrics, std::string_view method, std::string_view path);

  // The trace that a request belongs to, and the span of its caller.
  struct RequestTrace {
    std::optional<trace::Context> context;
    std::optional<trace::SpanId> parent;
  };

  // The parts of a call that are needed after it has ended: for the log, and for counting the reply's memory.
  struct Answered {
    std::string_view address;
    std::shared_ptr<const Caller> caller;
    RequestTrace trace{};

    std::string_view tenant() const { return caller ? std::string_view(caller->tenant.text()) : ""; }
    std::string_view user() const { return caller ? std::string_view(caller->user.text()) : ""; }
    std::string_view token() const { return caller ? std::string_view(caller->token_id) : ""; }
  };
  std::size_t index_of(const Route& route) const;
  const RouteMetrics& metrics_for(const Route* route) const;
  RequestTrace trace_of(const Request& request);
  static void record_span(const Request& request, std::string_view route, const Reply& reply, const Answered& answered,
                          std::chrono::nanoseconds duration);
  Task<Reply> answer_route(Request& request, const Route& route, std::vector<std::string> params, Answered& answered);
  Task<Reply> answer_preflight(const Request& request, std::string methods);
  Task<bool> allows_origin(const TenantId& tenant, std::string_view origin) const;
  Task<RateLimiter::Verdict> count_address(const Call& call, const AddressLimit& limit) const;
  Task<RateLimiter::Verdict> count_caller(const Caller& caller, const Route& route) const;
  Task<RateLimiter::Verdict> count_cost(const Caller& caller, std::int64_t cost) const;
  void count_reply_bytes(Reply& reply, const Answered& answered);
  void record(const Request& request, const Route* route, const Reply& reply, const Answered& answered,
              std::chrono::nanoseconds duration);
  void add_strict_headers(const Request& request, const Route& route, Reply& reply) const;
  Task<Reply> admit(Call& call, const Route& route, RateLimiter::Verdict& verdict);
  Task<Reply> run(Call& call, const Route& route);
  Task<Reply> read_page(Call& call, const Route& route);

  Router router_;
  Authenticate authenticate_;
  RateLimiter limiter_;
  ApiOptions options_;
  RequestLog log_;
  Share traced_;
  std::vector<RouteMetrics> route_metrics_;            // in the order of router_.routes()
  std::vector<std::vector<std::string>> body_fields_;  // in the same order
  RouteMetrics unmatched_metrics_;
};

}  // namespace guildhall::api
