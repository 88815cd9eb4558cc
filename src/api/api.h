#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "api/rate_limiter.h"
#include "api/reply_rate.h"
#include "api/request_log.h"
#include "api/router.h"
#include "base/address.h"
#include "base/metrics.h"
#include "cache/cache.h"
#include "http/service.h"

namespace guildhall::api {

// Finds the session of a request, if it has a valid one. Throws Failure unavailable if that cannot be found out.
using Authenticate = std::function<Task<std::optional<Caller>>(const Request&)>;

struct ApiOptions {
  std::int64_t tenant_requests_per_minute = 1000;
  bool rate_limit_disabled = false;
  MemoryStore* local_windows =
      nullptr;  // of all loops together: counts for some limits while the cache does not answer
  std::vector<AddressRange> trusted_proxies{};
  http::Quota* reply_bytes = nullptr;                // for replies that wait to be sent; null: not limited
  ReplyRate* reply_rate = nullptr;                   // of list pages; null: not limited
  log::LineWriter::Buffer* request_lines = nullptr;  // null: requests are not logged
  double logged_share = 1;
  std::chrono::milliseconds request_time_max{30'000};  // the listener's answer_ms_max, for the metrics
  std::string_view session_cookie{};                   // its name
  std::string public_base_url{};
};

// Answers requests from the route table: finds the line, runs its guards in the contract's order (404, 405,
// 429, 413, 401, 403, 415), calls the handler, and turns what it throws into a reply. One per loop.
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

  // The parts of a call that outlive it, for the log and for the memory of its reply.
  struct Answered {
    std::string_view address;
    TenantId tenant;
    UserId user;
  };
  const RouteMetrics& metrics_for(const Route* route) const;
  Task<Reply> answer_route(Request& request, const Route& route, std::vector<std::string> params, Answered& answered);
  Task<RateLimiter::Verdict> count_address(const Call& call, const AddressLimit& limit) const;
  Task<RateLimiter::Verdict> count_caller(const Caller& caller) const;
  void hold_bytes(Reply& reply, const Answered& answered);
  void record(const Request& request, const Route* route, const Reply& reply, const Answered& answered,
              std::chrono::nanoseconds took);
  Task<Reply> admit(Call& call, const Route& route);
  Task<Reply> run(Call& call, const Route& route);
  Task<Reply> read_page(Call& call, const Route& route);

  Router router_;
  Authenticate authenticate_;
  RateLimiter limiter_;
  ApiOptions options_;
  RequestLog log_;
  std::vector<RouteMetrics> route_metrics_;  // as router_.routes()
  RouteMetrics unmatched_metrics_;
};

}  // namespace guildhall::api
