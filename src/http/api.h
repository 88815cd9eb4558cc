#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "base/address.h"
#include "base/metrics.h"
#include "cache/cache.h"
#include "http/listener.h"
#include "http/rate_limiter.h"
#include "http/router.h"

namespace guildhall::http {

// Finds the session of a request, if it has a valid one. Throws Failure unavailable when that cannot be told.
using Authenticate = std::function<Task<std::optional<Caller>>(const Request&)>;

struct ApiOptions {
  std::int64_t tenant_requests_per_minute = 1000;
  bool rate_limit_disabled = false;
  std::vector<AddressRange> trusted_proxies;
  std::string_view session_cookie;  // its name
  std::string public_base_url;
};

// Answers requests from the route table: finds the line, runs its guards in the contract's order (404, 405,
// 429, 413, 401, 403, 415), calls the handler, and turns what it throws into a reply. One per loop.
class Api final : public Service {
 public:
  Api(std::vector<Route> routes, Authenticate authenticate, Cache& cache, Metrics& metrics, ApiOptions options);

  const std::vector<Route>& routes() const { return router_.routes(); }

  std::size_t body_bytes_max(const Request& head) override;
  Task<Reply> answer(Request& request) override;
  Reply malformed(int status, std::string_view sentence) override;

 private:
  struct RouteMetrics {
    std::array<Counter*, 6> by_status_class{};
    Histogram* seconds = nullptr;
  };
  RouteMetrics metrics_of(Metrics& metrics, std::string_view method, std::string_view path);
  Task<Reply> answer_route(Request& request, const Route& route, std::vector<std::string> params);
  Task<Reply> admit(Call& call, const Route& route);

  Router router_;
  Authenticate authenticate_;
  RateLimiter limiter_;
  ApiOptions options_;
  std::vector<RouteMetrics> route_metrics_;  // as router_.routes()
  RouteMetrics unmatched_metrics_;
};

}  // namespace guildhall::http
