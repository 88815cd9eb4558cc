#include "http/api.h"

#include "base/log.h"
#include "http/client_address.h"
#include "http/failure_reply.h"
#include "http/guards.h"

namespace guildhall::http {
namespace {

constexpr std::string_view tenant_endpoint = "tenant_api";

bool under_tenant_limit(const Route& route) {
  return route.path.starts_with("/api/data/") || route.path.starts_with("/api/admin/");
}

// A GET whose ETag the client already has needs no body.
void drop_if_unchanged(const Request& request, Reply& reply) {
  if (reply.status != 200 || (request.method != Method::get && request.method != Method::head)) return;
  const std::string_view known = request.header("if-none-match");
  if (known.empty()) return;
  for (const auto& [name, value] : reply.headers) {
    if (name != "ETag" || (known != "*" && known.find(value) == std::string_view::npos)) continue;
    reply.status = 304;
    reply.content_type = "";
    reply.body.clear();
    return;
  }
}

// What a route's limit counts: an address, or one of several senders behind it.
std::string limited_source(const AddressLimit& limit, const Call& call) {
  std::string source(call.address);
  const std::string sender = limit.sender != nullptr ? limit.sender(call.request) : "";
  return sender.empty() ? source : source + ":" + sender;
}

}  // namespace

Api::Api(std::vector<Route> routes, Authenticate authenticate, Cache& cache, Metrics& metrics, ApiOptions options)
    : router_(std::move(routes)),
      authenticate_(std::move(authenticate)),
      limiter_(cache, metrics, options.rate_limit_disabled),
      options_(std::move(options)),
      unmatched_metrics_(metrics_of(metrics, "", "unmatched")) {
  for (const Route& route : router_.routes()) {
    route_metrics_.push_back(metrics_of(metrics, to_string(route.method), route.path));
  }
}

Api::RouteMetrics Api::metrics_of(Metrics& metrics, std::string_view method, std::string_view path) {
  RouteMetrics found;
  const Metrics::Labels labels{{"method", std::string(method)}, {"route", std::string(path)}};
  for (std::size_t status_class = 1; status_class < found.by_status_class.size(); ++status_class) {
    Metrics::Labels with_status = labels;
    with_status.emplace_back("status", fmt::format("{}xx", status_class));
    found.by_status_class[status_class] = &metrics.counter("http_requests_total", "Requests answered.", with_status);
  }
  found.seconds = &metrics.histogram("http_request_seconds", "Time from request to reply.", labels);
  return found;
}

std::size_t Api::body_bytes_max(const Request& head) {
  const Router::Match match = router_.match(head.method, head.path);
  return match.route != nullptr ? match.route->body_bytes_max : Limits{}.body_bytes_max;
}

Task<Reply> Api::answer(Request& request) {
  const auto started = std::chrono::steady_clock::now();
  Router::Match match = router_.match(request.method, request.path);
  Reply reply;
  try {
    if (match.route != nullptr) {
      reply = co_await answer_route(request, *match.route, std::move(match.params));
    } else if (match.allow.empty()) {
      reply = error_reply(404, "NOT_FOUND", "There is nothing at this address.");
    } else {
      reply = error_reply(405, "METHOD_NOT_ALLOWED", "This address does not take that method.");
      reply.with("Allow", match.allow);
    }
  } catch (...) {
    reply = failure_reply(std::current_exception(), request.request_id);
  }
  drop_if_unchanged(request, reply);

  const RouteMetrics& counted = match.route != nullptr
                                    ? route_metrics_[static_cast<std::size_t>(match.route - router_.routes().data())]
                                    : unmatched_metrics_;
  const auto took = std::chrono::steady_clock::now() - started;
  counted.by_status_class[static_cast<std::size_t>(reply.status / 100)]->add();
  counted.seconds->observe(took);
  co_return reply;
}

Task<Reply> Api::answer_route(Request& request, const Route& route, std::vector<std::string> params) {
  Call call{.request = request,
            .address = client_address(request, options_.trusted_proxies),
            .caller = std::nullopt,
            .tenant = {},
            .params = std::move(params),
            .now = now()};
  if (route.limit && route.limit->sender != nullptr && request.body_too_large) {
    co_return too_large_reply(route.body_bytes_max);
  }
  RateLimiter::Verdict verdict;
  if (route.limit) {
    verdict =
        co_await limiter_.count(route.limit->endpoint, limited_source(*route.limit, call), route.limit->per_minute);
  }
  if (route.access != Access::open && !verdict.exceeded) call.caller = co_await authenticate_(request);
  // Only those who are signed in count against their tenant, so that nobody else can use its limit up.
  if (under_tenant_limit(route) && call.caller && !verdict.exceeded) {
    verdict = co_await limiter_.count(tenant_endpoint, call.caller->tenant.text(), options_.tenant_requests_per_minute);
  }
  Reply reply;
  if (verdict.exceeded) {
    reply = too_many_requests_reply(RateLimiter::window.count());
  } else {
    try {
      reply = co_await admit(call, route);
    } catch (...) {
      reply = failure_reply(std::current_exception(), request.request_id);
    }
  }
  verdict.add_headers(reply);
  co_return reply;
}

Task<Reply> Api::admit(Call& call, const Route& route) {
  if (call.request.body_too_large) co_return too_large_reply(route.body_bytes_max);
  if (route.needs_session() && !call.caller) throw unauthenticated();
  refuse_cross_site(call.request);
  if (route.access != Access::open) {
    refuse_foreign_page(call.request, options_.session_cookie, options_.public_base_url);
  }
  if (route.tenant_scoped()) {
    call.tenant = tenant_of(call);
    require_permission(*call.caller, route.access);
  }
  if (route.body != nullptr) require_json(call.request);
  co_return co_await route.handler(call);
}

Reply Api::malformed(int status, std::string_view sentence) {
  unmatched_metrics_.by_status_class[static_cast<std::size_t>(status / 100)]->add();
  return error_reply(status, status == 503 ? "UNAVAILABLE" : "MALFORMED_REQUEST", sentence);
}

}  // namespace guildhall::http
