#include "outbox/dispatcher.h"

#include "base/log.h"

namespace guildhall::outbox {
namespace {

using std::chrono::milliseconds;

constexpr std::int64_t lanes_a_look_max = 256;
constexpr milliseconds pause_after_failure{1'000};
constexpr milliseconds between_measurements{10'000};

}  // namespace

// Outlives the dispatcher in the metrics.
struct Dispatcher::Gauges {
  std::atomic<double> pending{0};
  std::atomic<double> oldest_seconds{0};
};

Dispatcher::Dispatcher(Storage& storage, Metrics& metrics, DispatcherOptions options)
    : storage_(storage),
      metrics_(metrics),
      options_(options),
      locking_(storage.name() == "postgresql" ? Locking::skip_locked : Locking::one_writer),
      gauges_(std::make_shared<Gauges>()),
      lanes_(options.lanes) {
  metrics.gauge("outbox_pending", "Messages that wait, up to 100000.",
                [gauges = gauges_] { return gauges->pending.load(); });
  metrics.gauge("outbox_oldest_seconds", "How long the message that waits longest has been due.",
                [gauges = gauges_] { return gauges->oldest_seconds.load(); });
}

Dispatcher::~Dispatcher() {
  stop();
}

void Dispatcher::handle(std::string topic, Handler handler, RetryPolicy policy) {
  topics_[std::move(topic)] = {std::move(handler), policy};
}

void Dispatcher::start() {
  if (options_.threads == 0) return;
  // Nobody else can be at work on an embedded database: what is claimed was claimed by a process that died.
  if (locking_ == Locking::one_writer) storage_.write_now([](Tx& tx) { release_all(tx, now()); });
  for (int i = 0; i < options_.threads; ++i) threads_.emplace_back([this] { do_work(); });
  threads_.emplace_back([this] { look_for_work(); });
}

void Dispatcher::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  work_.notify_all();
  room_.notify_all();
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
  if (!waiting_.empty()) release_waiting();
}

void Dispatcher::release_waiting() {
  try {
    storage_.write_now([&](Tx& tx) {
      for (const Claim& claim : waiting_) release(tx, claim, now());
    });
  } catch (const std::exception& error) {
    log::warn("outbox: claims were not released; they run out by themselves", {{"error", error.what()}});
  }
  waiting_.clear();
}

void Dispatcher::look_for_work() {
  auto measured = std::chrono::steady_clock::now() - between_measurements;
  std::unique_lock lock(mutex_);
  while (true) {
    room_.wait(lock, [&] { return stopping_ || under_way_ < options_.threads; });
    if (stopping_) return;
    const int count = options_.threads - under_way_;
    lock.unlock();
    milliseconds pause = options_.pause;
    std::vector<Claim> found;
    try {
      found = claim_some(count);
      if (std::chrono::steady_clock::now() - measured >= between_measurements) {
        measure();
        measured = std::chrono::steady_clock::now();
      }
    } catch (const std::exception& error) {
      log::warn("outbox: cannot look for messages; it will try again", {{"error", error.what()}});
      pause = pause_after_failure;
    }
    lock.lock();
    for (Claim& claim : found) {
      lanes_.started(claim.lane);
      ++under_way_;
      waiting_.push_back(std::move(claim));
    }
    if (found.empty()) {
      room_.wait_for(lock, pause, [&] { return stopping_ || finished_; });
    } else {
      work_.notify_all();
    }
  }
}

std::vector<Claim> Dispatcher::claim_some(int count) {
  const Lanes before = [&] {
    const std::lock_guard lock(mutex_);
    finished_ = false;
    return lanes_;
  }();
  const Look look = look_at_lanes(before);
  if (look.due.empty()) return {};  // so that nothing is asked of the writer
  Turn turn;
  storage_.write_now([&](Tx& tx) { turn = take_turn(tx, look, count, before); });
  last_served_ = turn.last;
  return std::move(turn.claims);
}

// The lanes that have something due and room for it, beginning after the last one served. The look goes around once.
Dispatcher::Look Dispatcher::look_at_lanes(const Lanes& lanes) {
  Look look{.due = {}, .at = now()};
  storage_.read_now([&](Tx& tx) {
    look.due = due_lanes(tx, last_served_, look.at, lanes_a_look_max);
    if (look.due.size() == static_cast<std::size_t>(lanes_a_look_max)) return;
    for (Lane& lane : due_lanes(tx, {}, look.at, lanes_a_look_max)) {
      if (lane > last_served_) break;
      look.due.push_back(std::move(lane));
    }
  });
  std::erase_if(look.due, [&](const Lane& lane) { return !is_handled(lane) || lanes.room(lane, look.at) == 0; });
  return look;
}

// Claims what each lane has room for, then goes on to the next lane.
Dispatcher::Turn Dispatcher::take_turn(Tx& tx, const Look& look, int count, Lanes lanes) {
  Turn turn{.claims = {}, .last = last_served_};
  for (const Lane& lane : look.due) {
    const int left = count - static_cast<int>(turn.claims.size());
    if (left == 0) break;
    const int room = std::min(left, lanes.room(lane, look.at));
    if (room == 0) continue;
    turn.last = lane;
    for (Claim& claimed : claim(tx, locking_, lane, look.at, look.at + options_.lease, room)) {
      lanes.started(lane);
      turn.claims.push_back(std::move(claimed));
    }
  }
  return turn;
}

bool Dispatcher::is_handled(const Lane& lane) {
  if (topics_.contains(lane.topic())) return true;
  if (unknown_topics_.emplace(lane.topic()).second) {
    log::warn("outbox: nobody handles this topic; its messages wait", {{"topic", lane.topic()}});
  }
  return false;
}

void Dispatcher::measure() {
  Depth found;
  const Instant at = now();
  storage_.read_now([&](Tx& tx) { found = depth(tx, at); });
  gauges_->pending = static_cast<double>(found.pending);
  gauges_->oldest_seconds = static_cast<double>(std::max<std::int64_t>(0, at.ms - found.oldest_due.ms)) / 1000;
}

}  // namespace guildhall::outbox
