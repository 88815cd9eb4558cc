#pragma once

#include <array>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

// Distributed tracing, after W3C Trace Context and OpenTelemetry. A request that carries `traceparent` passes it on to
// the calls to other servers that it causes. When spans are exported (outbound/trace_exporter.h), the parts of a
// sampled request are also recorded as spans.
namespace guildhall::trace {

using TraceId = std::array<std::uint8_t, 16>;
using SpanId = std::array<std::uint8_t, 8>;

// The trace that some work belongs to, and the span that is the parent of its parts.
struct Context {
  TraceId trace_id{};
  SpanId span_id{};
  bool sampled = false;
  std::string state{};  // the header `tracestate`, passed on as it is
};

// Reads a `traceparent` header. Returns nothing if it is not well-formed; then the request has no trace.
std::optional<Context> parse_traceparent(std::string_view text);
std::string traceparent(const Context& context);

// The same trace with a new span id; without a parent, a new trace that is sampled.
Context child_of(const Context* parent);

// The context of the work that this thread is doing; null: the work belongs to no trace. The context belongs to the
// work.
inline thread_local constinit const Context* current = nullptr;

// Sets `current` for a block.
class Scope {
 public:
  explicit Scope(const Context* context) : before_(std::exchange(current, context)) {}
  ~Scope() { current = before_; }
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;

 private:
  const Context* before_;
};

// Keeps `current` while a coroutine is suspended, because its thread does other work meanwhile. Every primitive that
// suspends a request has one around its co_await.
class Suspension {
 public:
  Suspension() : kept_(std::exchange(current, nullptr)) {}
  ~Suspension() { current = kept_; }
  Suspension(const Suspension&) = delete;
  Suspension& operator=(const Suspension&) = delete;
  const Context* kept() const { return kept_; }

 private:
  const Context* kept_;
};

// One timed part of a trace.
struct Span {
  enum class Kind { internal = 1, server = 2, client = 3, producer = 4, consumer = 5 };  // the numbers of OTLP
  using Attribute = std::pair<std::string_view, std::variant<std::string, std::int64_t>>;

  Context context;
  std::optional<SpanId> parent;
  std::string name;
  Kind kind = Kind::internal;
  std::chrono::system_clock::time_point began, ended;
  bool failed = false;
  std::vector<Attribute> attributes{};  // the keys are constants
};

// The spans of the process that wait to be exported. Recording one never waits for the exporter: when the queue is
// full, the span is dropped and counted. Safe to use from several threads.
class SpanQueue {
 public:
  static constexpr std::size_t spans_max = 8192;

  // Spans are recorded only while an exporter takes them.
  void set_open(bool open);
  bool is_open() const { return open_.load(std::memory_order_relaxed); }

  void push(Span span);

  // Waits until there are `count` spans, the time has passed or wake() is called; returns at most `count` of them.
  std::vector<Span> take(std::size_t count, std::chrono::milliseconds wait_max);
  void wait_for_wake(std::chrono::milliseconds wait_max);
  void wake();

  std::uint64_t dropped() const { return dropped_.load(std::memory_order_relaxed); }

 private:
  std::atomic<bool> open_ = false;
  std::atomic<std::uint64_t> dropped_ = 0;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t wanted_ = spans_max;
  bool woken_ = false;
  std::deque<Span> spans_;
};

// The queue of the process. It is never destroyed, because threads may record spans while the process ends.
SpanQueue& spans();

inline bool is_recording() {
  return spans().is_open();
}

// Records a span from its construction to its destruction, if spans are exported and the parent is sampled; otherwise
// it does nothing.
class SpanTimer {
 public:
  SpanTimer(std::string_view name, Span::Kind kind, const Context* parent = current);

  // Begins a new trace, if spans are exported.
  struct NewTrace {};
  SpanTimer(std::string name, Span::Kind kind, NewTrace);
  ~SpanTimer();
  SpanTimer(const SpanTimer&) = delete;
  SpanTimer& operator=(const SpanTimer&) = delete;

  bool is_recorded() const { return span_.has_value(); }
  void add(std::string_view key, std::variant<std::string, std::int64_t> value);
  void fail();

  // The context for the parts of this span and for other servers; null if there is no trace.
  const Context* context() const { return span_ ? &span_->context : parent_; }

 private:
  const Context* parent_;
  std::optional<Span> span_;
};

}  // namespace guildhall::trace
