#include "api/api.h"

#include "api/api_version.h"
#include "api/failure_reply.h"
#include "api/guards.h"
#include "api/ignored_fields.h"
#include "api/not_found_page.h"
#include "api/page.h"
#include "base/encoding.h"
#include "base/log.h"
#include "http/client_address.h"

namespace guildhall::api {
namespace {

constexpr std::string_view tenant_endpoint = "tenant_api";
constexpr std::string_view session_endpoint = "session";
constexpr std::int64_t session_requests_per_minute = 1000;  // of one user, to the routes of the own account
constexpr AddressLimit preflight_limit{.endpoint = "cors_preflight", .per_minute = 600, .local_without_cache = true};
constexpr std::size_t tracestate_bytes_max = 512;
constexpr std::size_t counted_bytes_min = 16 * 1024;  // the connection counts smaller replies

bool is_tracestate(std::string_view text) {
  return text.size() <= tracestate_bytes_max &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~'; });
}

std::string source_of_user(const Caller& caller) {
  return caller.tenant.text() + ":" + caller.user.text();
}

// A caller who holds a permission counts against the limit of the tenant. A member without any permission counts
// separately, so that such members cannot use up the limit of the tenant.
std::string limited_source(const Caller& caller) {
  return caller.permissions.empty() ? source_of_user(caller) : caller.tenant.text();
}

Failure session_required() {
  return forbidden("SESSION_REQUIRED", "This needs a session: a token cannot do it.");
}

Failure invalid_token() {
  return {Failure::Kind::unauthenticated, "INVALID_TOKEN", "The token is wrong, has expired or was revoked."};
}

Failure too_many_unsent_replies() {
  return unavailable("Too many large replies wait to be read.");
}

Reply method_not_allowed_reply(const std::string& allowed) {
  return error_reply(405, "METHOD_NOT_ALLOWED", "This address does not take that method.").with("Allow", allowed);
}

// Replaces the reply by 304 without a body if the client already has this ETag.
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

}  // namespace

Api::Api(std::vector<Route> routes, Authenticate authenticate, Cache& cache, Metrics& metrics, ApiOptions options)
    : router_(std::move(routes)),
      authenticate_(std::move(authenticate)),
      limiter_(cache, metrics, options.rate_limit_disabled),
      options_(std::move(options)),
      log_(options_.request_lines, options_.logged_share, options_.slow_request),
      traced_(options_.traced_share),
      unmatched_metrics_(metrics_of(metrics, "", "unmatched")) {
  for (const Route& route : router_.routes()) {
    route_metrics_.push_back(metrics_of(metrics, to_string(route.method), route.path));
    body_fields_.push_back(fields_of_body(route));
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
  return match.route != nullptr ? match.route->body_bytes_max : http::usual_body_bytes_max;
}

Task<Reply> Api::answer(Request& request) {
  const auto started = std::chrono::steady_clock::now();
  Router::Match match = router_.match(request.method, request.path);
  Answered answered{.address = request.peer, .caller = nullptr, .trace = trace_of(request)};
  const trace::Scope scope(answered.trace.context ? &*answered.trace.context : nullptr);
  Reply reply;
  try {
    if (match.route != nullptr) {
      reply = co_await answer_route(request, *match.route, std::move(match.params), answered);
    } else if (match.allow.empty()) {
      reply = unknown_address_reply(request);
    } else if (is_preflight(request)) {
      reply = co_await answer_preflight(request, match.allow);
    } else {
      reply = method_not_allowed_reply(match.allow);
    }
  } catch (...) {
    reply = failure_reply(std::current_exception(), request.request_id);
  }
  if (request.abandoned) co_return Reply{};  // timed_out() has answered and logged the request
  drop_if_unchanged(request, reply);
  reply.with("Guildhall-Version", version_of(request, answered.caller.get(), now()));
  if (match.route != nullptr && match.route->has_deprecated_fields) add_deprecation(reply);
  count_reply_bytes(reply, answered);
  record(request, match.route, reply, answered, std::chrono::steady_clock::now() - started);
  co_return reply;
}

std::size_t Api::index_of(const Route& route) const {
  return static_cast<std::size_t>(&route - router_.routes().data());
}

const Api::RouteMetrics& Api::metrics_for(const Route* route) const {
  return route != nullptr ? route_metrics_[index_of(*route)] : unmatched_metrics_;
}

// The client may read slowly, so the memory of a large reply counts against a quota until the reply has been sent.
void Api::count_reply_bytes(Reply& reply, const Answered& answered) {
  const bool streamed = reply.more && !reply.end;  // the pieces of a live reply are small
  if (options_.reply_bytes == nullptr || (reply.body.size() < counted_bytes_min && !streamed)) return;
  const std::size_t bytes = reply.body.size() + (streamed ? http::piece_bytes_max : 0);
  const std::string key =
      answered.tenant().empty() ? counted_address(answered.address) : std::string(answered.tenant());
  if (auto hold = options_.reply_bytes->take(key, bytes)) {
    reply.held = std::make_shared<http::Quota::Hold>(std::move(hold));
  } else {
    reply = failure_reply(too_many_unsent_replies());
  }
}

void Api::record(const Request& request, const Route* route, const Reply& reply, const Answered& answered,
                 std::chrono::nanoseconds duration) {
  const RouteMetrics& counted = metrics_for(route);
  counted.by_status_class[static_cast<std::size_t>(reply.status / 100)]->add();
  counted.seconds->observe(duration);
  const std::string_view pattern = route != nullptr ? std::string_view(route->path) : "unmatched";
  std::string trace_id;
  if (answered.trace.context) {
    trace_id = hex(std::span<const unsigned char>(answered.trace.context->trace_id));
    record_span(request, pattern, reply, answered, duration);
  }
  log_.add({.method = to_string(request.method),
            .route = pattern,
            .status = reply.status,
            .took = duration,
            .bytes = reply.body.size(),
            .tenant = answered.tenant(),
            .user = answered.user(),
            .token = answered.token(),
            .address = answered.address,
            .request_id = request.request_id,
            .trace_id = trace_id});
}

// A request that carries a trace belongs to it; the others begin a new one. While spans are exported, only the
// configured share of both is recorded, whatever the caller asks for.
Api::RequestTrace Api::trace_of(const Request& request) {
  const std::string_view given = request.header("traceparent");
  if (given.empty() && !trace::is_recording()) return {};
  RequestTrace trace{.context = trace::parse_traceparent(given), .parent = std::nullopt};
  if (trace.context) {
    const std::string_view state = request.header("tracestate");
    if (is_tracestate(state)) trace.context->state = state;
    if (!trace::is_recording()) return trace;
    trace.parent = trace.context->span_id;
    trace.context = trace::child_of(&*trace.context);
    trace.context->sampled = trace.context->sampled && traced_.take_next();
  } else if (trace::is_recording() && traced_.take_next()) {
    trace.context = trace::child_of(nullptr);
  }
  return trace;
}

void Api::record_span(const Request& request, std::string_view route, const Reply& reply, const Answered& answered,
                      std::chrono::nanoseconds duration) {
  if (!trace::is_recording() || !answered.trace.context->sampled) return;
  const auto ended = std::chrono::system_clock::now();
  const std::string_view method = to_string(request.method);
  trace::Span span{.context = *answered.trace.context,
                   .parent = answered.trace.parent,
                   .name = fmt::format("{} {}", method, route),
                   .kind = trace::Span::Kind::server,
                   .began = ended - std::chrono::duration_cast<std::chrono::system_clock::duration>(duration),
                   .ended = ended,
                   .failed = reply.status >= 500};
  span.attributes = {{"http.request.method", std::string(method)},
                     {"http.route", std::string(route)},
                     {"http.response.status_code", std::int64_t{reply.status}},
                     {"guildhall.request_id", request.request_id}};
  if (!answered.tenant().empty()) span.attributes.emplace_back("guildhall.tenant", std::string(answered.tenant()));
  trace::spans().push(std::move(span));
}

Reply Api::timed_out(const Request& request) {
  Reply reply = failure_reply(unavailable("The request took too long. It may still be carried out."));
  const Router::Match match = router_.match(request.method, request.path);
  const Answered answered{
      .address = client_address(request, options_.trusted_proxies), .caller = nullptr, .trace = trace_of(request)};
  record(request, match.route, reply, answered, options_.request_time_max);
  return reply;
}

Task<Reply> Api::answer_route(Request& request, const Route& route, std::vector<std::string> params,
                              Answered& answered) {
  Call call{.request = request,
            .address = client_address(request, options_.trusted_proxies),
            .caller = nullptr,
            .tenant = {},
            .params = std::move(params),
            .now = now()};
  answered.address = call.address;
  const bool strict = !route.raw_body && prefers_strict_handling(request);
  if (strict) call.unknown = Decoder::Unknown::refused;
  RateLimiter::Verdict verdict;
  if (route.limit) verdict = co_await count_address(call, *route.limit);
  if (route.access != Access::open && !verdict.exceeded) call.caller = co_await authenticate_(request);
  // Routes on which a session is optional start and end sessions. A token has no session, so its caller is ignored
  // there.
  if (route.access == Access::optional && call.caller && !call.caller->token_id.empty()) call.caller.reset();
  if (route.counts_callers() && call.caller && !verdict.exceeded) {
    verdict = co_await count_caller(*call.caller, route);
  }
  Reply reply;
  if (verdict.exceeded) {
    reply = too_many_requests_reply(RateLimiter::window.count());
  } else {
    try {
      reply = co_await admit(call, route, verdict);
    } catch (...) {
      reply = failure_reply(std::current_exception(), request.request_id);
    }
  }
  verdict.add_headers(reply);
  if (request.has_header("origin") || is_public_view(route)) {
    reply.with("Vary", "Origin");
    const TenantId readers = tenant_of_readers(call, route);
    const std::string_view origin = request.header("origin");
    if (!readers.empty() && co_await allows_origin(readers, origin)) allow_origin(reply, origin);
  }
  answered.caller = std::move(call.caller);
  if (reply.status == 401) reply.with("WWW-Authenticate", challenge_of(route, request, options_.session_cookie));
  if (strict) add_strict_headers(request, route, reply);
  co_return reply;
}

void Api::add_strict_headers(const Request& request, const Route& route, Reply& reply) const {
  reply.with("Preference-Applied", "handling=strict");
  if (route.body == nullptr || reply.status >= 300) return;
  std::string names = ignored_fields(request.body, reply.body, body_fields_[index_of(route)]);
  if (!names.empty()) reply.with("Ignored-Fields", std::move(names));
}

// A preflight has no tenant, so it is answered for the origins of all tenants. Whether a page may read the reply to the
// request that follows is decided by the list of the token's own tenant.
Task<Reply> Api::answer_preflight(const Request& request, std::string methods) {
  const std::string source = counted_address(client_address(request, options_.trusted_proxies));
  const RateLimiter::Verdict verdict = co_await limiter_.count({.endpoint = preflight_limit.endpoint,
                                                                .per_minute = preflight_limit.per_minute,
                                                                .without_cache = options_.local_windows},
                                                               source);
  if (verdict.exceeded) co_return too_many_requests_reply(RateLimiter::window.count());
  const std::string_view origin = request.header("origin");
  if (!co_await allows_origin({}, origin)) co_return method_not_allowed_reply(methods);
  co_return preflight_reply(origin, std::move(methods));
}

// While the database does not answer, no origin is allowed.
Task<bool> Api::allows_origin(const TenantId& tenant, std::string_view origin) const {
  if (!options_.allows_origin) co_return false;
  try {
    co_return co_await options_.allows_origin(tenant, origin);
  } catch (const Failure&) {
    co_return false;
  }
}

Task<RateLimiter::Verdict> Api::count_address(const Call& call, const AddressLimit& limit) const {
  co_return co_await limiter_.count({.endpoint = limit.endpoint,
                                     .per_minute = limit.per_minute,
                                     .without_cache = limit.local_without_cache ? options_.local_windows : nullptr},
                                    call.source());
}

// Requests about one's own account count for the user.
Task<RateLimiter::Verdict> Api::count_caller(const Caller& caller, const Route& route) const {
  if (!route.tenant_scoped()) {
    co_return co_await limiter_.count({session_endpoint, session_requests_per_minute}, source_of_user(caller));
  }
  co_return co_await limiter_.count({tenant_endpoint, options_.tenant_requests_per_minute}, limited_source(caller));
}

// The request was counted as one already. Nothing costs more than the whole limit, so that it is possible at all.
Task<RateLimiter::Verdict> Api::count_cost(const Caller& caller, std::int64_t cost) const {
  const std::int64_t limit = options_.tenant_requests_per_minute;
  co_return co_await limiter_.count_more({tenant_endpoint, limit}, limited_source(caller), std::min(cost, limit) - 1);
}

Task<Reply> Api::admit(Call& call, const Route& route, RateLimiter::Verdict& verdict) {
  if (call.request.body_too_large) co_return too_large_reply(route.body_bytes_max);
  if (route.needs_session() && !call.caller) throw bearer_token(call.request) ? invalid_token() : unauthenticated();
  if (call.caller && !call.caller->token_id.empty()) {
    if (!route.admits_tokens()) throw session_required();
  } else {  // browsers send cookies, but never tokens, with the requests of any page
    refuse_cross_site(call.request);
    if (route.access != Access::open) {
      refuse_foreign_page(call.request, options_.session_cookie, options_.public_base_url);
    }
  }
  if (route.tenant_scoped()) {
    call.tenant = tenant_of(call);
    if (call.caller->must_enrol) {
      throw forbidden("SECOND_FACTOR_NOT_ENROLLED",
                      "This shop requires a second factor: POST /auth/second-factor first.");
    }
    require_permission(*call.caller, route.access);
    if (route.authorize) co_await route.authorize(call);
  }
  if (route.body != nullptr) require_json(call.request);
  if (!route.media_types.empty()) require_media_type(call.request, route.media_types);
  require_path_parameters(call, route);
  if (const std::int64_t cost = route.cost ? route.cost(call) : 1; cost > 1) {
    verdict = co_await count_cost(*call.caller, cost);
    if (verdict.exceeded) co_return too_many_requests_reply(RateLimiter::window.count());
  }
  if (!route.gives_pages() || !route.tenant_scoped()) co_return co_await run(call, route);
  co_return co_await read_page(call, route);
}

// Refuses the page before it is read if the tenant has read too many bytes recently, or has large replies that are not
// sent yet. Otherwise other tenants would wait for a page that is then discarded.
Task<Reply> Api::read_page(Call& call, const Route& route) {
  const std::string_view tenant = call.tenant.text();
  if (options_.reply_bytes != nullptr && options_.reply_bytes->key_is_full(tenant, page_bytes_max)) {
    throw too_many_unsent_replies();
  }
  if (options_.reply_rate == nullptr) co_return co_await run(call, route);
  const auto wait = options_.reply_rate->begin_page(tenant);
  if (wait.count() > 0) {
    const auto seconds = std::chrono::ceil<std::chrono::seconds>(wait).count();
    co_return too_many_requests_reply(seconds, seconds);
  }
  try {
    Reply page = co_await run(call, route);
    options_.reply_rate->end_page(tenant, page.body.size());
    co_return page;
  } catch (...) {
    options_.reply_rate->end_page(tenant, 0);
    throw;
  }
}

Task<Reply> Api::run(Call& call, const Route& route) {
  require_supported_version(call.request, call.caller.get(), call.now);
  if (call.unknown == Decoder::Unknown::refused && route.query.empty()) refuse_query(call.request);
  return route.handler(call);  // not awaited here: that would cost a coroutine of its own
}

Reply Api::malformed(int status, std::string_view sentence) {
  unmatched_metrics_.by_status_class[static_cast<std::size_t>(status / 100)]->add();
  return error_reply(status, status == 503 ? "UNAVAILABLE" : "MALFORMED_REQUEST", sentence);
}

}  // namespace guildhall::api
