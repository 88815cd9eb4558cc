#include "base/trace.h"

#include <random>

#include "base/encoding.h"

namespace guildhall::trace {
namespace {

constexpr std::size_t traceparent_size = 55;  // version 00: 00-<32 digits>-<16 digits>-<2 digits>
constexpr std::uint8_t sampled_flag = 1;

std::uint64_t random_number() {
  thread_local std::mt19937_64 generator{(std::uint64_t{std::random_device{}()} << 32) | std::random_device{}()};
  return generator();
}

template <std::size_t size>
void fill_randomly(std::array<std::uint8_t, size>& id) {
  for (std::size_t i = 0; i < size; i += 8) {
    const std::uint64_t number = random_number() | 1;  // an id of zeros is not valid
    std::memcpy(id.data() + i, &number, 8);
  }
}

// Only lower-case digits are allowed.
std::optional<std::uint8_t> digit_of(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return std::nullopt;
}

template <std::size_t size>
bool read_hex(std::string_view text, std::array<std::uint8_t, size>& out) {
  for (std::size_t i = 0; i < size; ++i) {
    const auto high = digit_of(text[2 * i]), low = digit_of(text[2 * i + 1]);
    if (!high || !low) return false;
    out[i] = static_cast<std::uint8_t>(*high << 4 | *low);
  }
  return true;
}

template <std::size_t size>
bool is_zero(const std::array<std::uint8_t, size>& id) {
  return id == std::array<std::uint8_t, size>{};
}

template <std::size_t size>
std::string hex_of(const std::array<std::uint8_t, size>& bytes) {
  return hex(std::span<const unsigned char>(bytes));
}

}  // namespace

std::optional<Context> parse_traceparent(std::string_view text) {
  // Later versions may add fields at the end, after another dash.
  if (text.size() < traceparent_size || text[2] != '-' || text[35] != '-' || text[52] != '-') return std::nullopt;
  std::array<std::uint8_t, 1> version{}, flags{};
  Context context;
  if (!read_hex(text.substr(0, 2), version) || !read_hex(text.substr(3, 32), context.trace_id) ||
      !read_hex(text.substr(36, 16), context.span_id) || !read_hex(text.substr(53, 2), flags)) {
    return std::nullopt;
  }
  const bool longer = text.size() > traceparent_size;
  if (version[0] == 0xff || (version[0] == 0 && longer) || (longer && text[traceparent_size] != '-')) {
    return std::nullopt;
  }
  if (is_zero(context.trace_id) || is_zero(context.span_id)) return std::nullopt;
  context.sampled = (flags[0] & sampled_flag) != 0;
  return context;
}

std::string traceparent(const Context& context) {
  return fmt::format("00-{}-{}-{}", hex_of(context.trace_id), hex_of(context.span_id), context.sampled ? "01" : "00");
}

Context child_of(const Context* parent) {
  Context child;
  if (parent != nullptr) {
    child = *parent;
  } else {
    fill_randomly(child.trace_id);
    child.sampled = true;
  }
  fill_randomly(child.span_id);
  return child;
}

void SpanQueue::set_open(bool open) {
  open_ = open;
  if (open) return;
  const std::lock_guard lock(mutex_);
  spans_.clear();
}

void SpanQueue::push(Span span) {
  if (!is_open()) return;
  {
    const std::lock_guard lock(mutex_);
    if (spans_.size() >= spans_max) {
      dropped_.fetch_add(1, std::memory_order_relaxed);
      return;
    }
    spans_.push_back(std::move(span));
    if (spans_.size() < wanted_) return;
  }
  changed_.notify_one();
}

std::vector<Span> SpanQueue::take(std::size_t count, std::chrono::milliseconds wait_max) {
  std::unique_lock lock(mutex_);
  wanted_ = count;
  changed_.wait_for(lock, wait_max, [&] { return woken_ || spans_.size() >= count; });
  wanted_ = spans_max + 1;
  woken_ = false;
  const auto end = spans_.begin() + static_cast<std::ptrdiff_t>(std::min(count, spans_.size()));
  std::vector<Span> taken(std::make_move_iterator(spans_.begin()), std::make_move_iterator(end));
  spans_.erase(spans_.begin(), end);
  return taken;
}

void SpanQueue::wait_for_wake(std::chrono::milliseconds wait_max) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, wait_max, [&] { return woken_; });
}

void SpanQueue::wake() {
  {
    const std::lock_guard lock(mutex_);
    woken_ = true;
  }
  changed_.notify_one();
}

SpanQueue& spans() {
  static auto* const queue = new SpanQueue;
  return *queue;
}

SpanTimer::SpanTimer(std::string_view name, Span::Kind kind, const Context* parent) : parent_(parent) {
  if (parent == nullptr || !parent->sampled || !is_recording()) return;
  span_.emplace(Span{.context = child_of(parent),
                     .parent = parent->span_id,
                     .name = std::string(name),
                     .kind = kind,
                     .began = std::chrono::system_clock::now(),
                     .ended = {}});
}

SpanTimer::SpanTimer(std::string name, Span::Kind kind, NewTrace) : parent_(nullptr) {
  if (!is_recording()) return;
  span_.emplace(Span{.context = child_of(nullptr),
                     .parent = std::nullopt,
                     .name = std::move(name),
                     .kind = kind,
                     .began = std::chrono::system_clock::now(),
                     .ended = {}});
}

SpanTimer::~SpanTimer() {
  if (!span_) return;
  span_->ended = std::chrono::system_clock::now();
  spans().push(std::move(*span_));
}

void SpanTimer::add(std::string_view key, std::variant<std::string, std::int64_t> value) {
  if (span_) span_->attributes.emplace_back(key, std::move(value));
}

void SpanTimer::fail() {
  if (span_) span_->failed = true;
}

}  // namespace guildhall::trace
