#include "outbound/trace_exporter.h"

#include "base/codec.h"
#include "base/encoding.h"
#include "base/log.h"
#include "outbound/http_client.h"

namespace guildhall::outbound {
namespace {

using std::chrono::milliseconds;

constexpr std::size_t batch_spans_max = 512;
constexpr milliseconds batch_wait_max{1'000};
constexpr milliseconds first_pause{1'000}, longest_pause{30'000};
constexpr milliseconds last_attempt_ms_max{2'000};

json::Value attribute(std::string_view key, const std::variant<std::string, std::int64_t>& value) {
  // OTLP writes 64-bit integers as strings.
  const auto* number = std::get_if<std::int64_t>(&value);
  return json::object({{"key", key},
                       {"value", number != nullptr ? json::object({{"intValue", std::to_string(*number)}})
                                                   : json::object({{"stringValue", std::get<std::string>(value)}})}});
}

template <std::size_t size>
std::string hex_of(const std::array<std::uint8_t, size>& id) {
  return hex(std::span<const unsigned char>(id));
}

std::string nanoseconds(std::chrono::system_clock::time_point at) {
  return std::to_string(std::chrono::duration_cast<std::chrono::nanoseconds>(at.time_since_epoch()).count());
}

void append_span(std::string& out, const trace::Span& span) {
  json::ObjectWriter object(out);
  object.add("traceId", hex_of(span.context.trace_id));
  object.add("spanId", hex_of(span.context.span_id));
  if (span.parent) object.add("parentSpanId", hex_of(*span.parent));
  if (!span.context.state.empty()) object.add("traceState", span.context.state);
  object.add("name", span.name);
  object.add("kind", static_cast<int>(span.kind));
  object.add("startTimeUnixNano", nanoseconds(span.began));
  object.add("endTimeUnixNano", nanoseconds(span.ended));
  std::string& attributes = object.key("attributes");
  attributes += '[';
  for (const auto& [key, value] : span.attributes) {
    if (attributes.back() != '[') attributes += ',';
    attributes += attribute(key, value).text;
  }
  attributes += ']';
  if (span.failed) object.add("status", json::object({{"code", 2}}));
}

bool is_temporary(const Reply& reply) {
  return reply.status == 0 || reply.status == 429 || reply.status == 502 || reply.status == 503 || reply.status == 504;
}

}  // namespace

std::string otlp_json(std::span<const trace::Span> spans) {
  std::string out = R"({"resourceSpans":[{"resource":{"attributes":[)";
  out += attribute("service.name", "guildhall").text + ',' + attribute("service.version", GUILDHALL_VERSION).text;
  out += R"(]},"scopeSpans":[{"scope":{"name":"guildhall"},"spans":[)";
  for (const trace::Span& span : spans) {
    if (&span != spans.data()) out += ',';
    append_span(out, span);
  }
  return out += "]}]}]}";
}

TraceExporter::TraceExporter(const TracingConfig& config, Metrics& metrics)
    : url_(config.otlp_endpoint + "/v1/traces"),
      headers_(config.otlp_headers),
      exported_(metrics.counter("trace_spans_total", "Spans by outcome.", {{"outcome", "exported"}})),
      refused_(metrics.counter("trace_spans_total", "Spans by outcome.", {{"outcome", "refused"}})) {
  metrics.read_counter("trace_spans_dropped_total", "Spans that did not fit into the queue.",
                       [] { return static_cast<double>(trace::spans().dropped()); });
  trace::spans().set_open(true);
  thread_ = std::thread([this] { run(); });
}

TraceExporter::~TraceExporter() {
  stopping_ = true;
  trace::spans().wake();
  thread_.join();
  trace::spans().set_open(false);
}

void TraceExporter::run() {
  std::vector<trace::Span> batch;
  milliseconds pause = first_pause;
  while (true) {
    const bool last = stopping_;
    if (batch.empty()) batch = trace::spans().take(batch_spans_max, last ? milliseconds(0) : batch_wait_max);
    const bool sent = batch.empty() || send(batch);
    if (sent) batch.clear();
    if (last) return;
    if (sent) {
      pause = first_pause;
    } else {
      trace::spans().wait_for_wake(pause);
      pause = std::min(pause * 2, longest_pause);
    }
  }
}

bool TraceExporter::send(std::span<const trace::Span> batch) {
  Request request{.method = "POST", .url = url_, .headers = headers_, .body = otlp_json(batch)};
  request.headers.emplace_back("Content-Type", "application/json");
  if (stopping_) request.total_ms_max = last_attempt_ms_max;
  const Reply reply = send_now(request);
  if (reply.ok()) {
    exported_.add(batch.size());
    return true;
  }
  log::warn("the collector of traces did not take a batch", {{"status", reply.status}, {"error", reply.error}});
  if (is_temporary(reply)) return false;
  refused_.add(batch.size());
  return true;
}

}  // namespace guildhall::outbound
