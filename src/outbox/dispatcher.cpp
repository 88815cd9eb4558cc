#include "outbox/dispatcher.h"

#include <random>

#include "base/log.h"

namespace guildhall::outbox {
namespace {

using std::chrono::milliseconds;

constexpr std::int64_t lanes_a_look_max = 256;
constexpr milliseconds pause_after_failure{1'000};
constexpr milliseconds between_measurements{10'000};

double chance() {
  thread_local std::mt19937 generator{std::random_device{}()};
  return std::uniform_real_distribution<double>(0, 1)(generator);
}

std::string_view name_of(Verdict::Kind kind) {
  switch (kind) {
    case Verdict::Kind::done:
      return "done";
    case Verdict::Kind::retry:
      return "retry";
    case Verdict::Kind::dead:
      return "dead";
  }
  return "";
}

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
  for (int i = 0; i < options_.threads; ++i) threads_.emplace_back([this] { deliver_claims(); });
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
  if (claimed_.empty()) return;
  try {
    storage_.write_now([&](Tx& tx) {
      for (const Claim& claim : claimed_) release(tx, claim, now());
    });
  } catch (const std::exception& error) {
    log::warn("outbox: claims were not released; they run out by themselves", {{"error", error.what()}});
  }
  claimed_.clear();
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
    std::vector<Claim> claims;
    try {
      claims = claim_some(count);
      if (std::chrono::steady_clock::now() - measured >= between_measurements) {
        measure();
        measured = std::chrono::steady_clock::now();
      }
    } catch (const std::exception& error) {
      log::warn("outbox: cannot look for messages; it will try again", {{"error", error.what()}});
      pause = pause_after_failure;
    }
    lock.lock();
    for (Claim& claim : claims) {
      lanes_.started(claim.lane);
      ++under_way_;
      claimed_.push_back(std::move(claim));
    }
    if (claims.empty()) {
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
  Turn turn;
  storage_.write_now([&](Tx& tx) { turn = take_turn(tx, count, before); });
  last_served_ = turn.last;
  return std::move(turn.claims);
}

// What each lane has room for, then on to the next lane. The look goes around once.
Dispatcher::Turn Dispatcher::take_turn(Tx& tx, int count, Lanes lanes) {
  Turn turn{.claims = {}, .last = last_served_};
  const Instant at = now();
  std::vector<Lane> due = due_lanes(tx, last_served_, at, lanes_a_look_max);
  if (due.size() < static_cast<std::size_t>(lanes_a_look_max)) {
    for (Lane& lane : due_lanes(tx, {}, at, lanes_a_look_max)) {
      if (lane > last_served_) break;
      due.push_back(std::move(lane));
    }
  }
  for (const Lane& lane : due) {
    const int left = count - static_cast<int>(turn.claims.size());
    if (left == 0) break;
    if (!has_handler(lane)) continue;
    const int room = std::min(left, lanes.room(lane, at));
    if (room == 0) continue;
    for (Claim& claimed : claim(tx, locking_, lane, at, at + options_.lease, room)) {
      lanes.started(lane);
      turn.claims.push_back(std::move(claimed));
    }
    turn.last = lane;
  }
  return turn;
}

bool Dispatcher::has_handler(const Lane& lane) {
  if (topics_.contains(lane.topic())) return true;
  if (unknown_topics_.emplace(lane.topic()).second) {
    log::warn("outbox: nobody handles this topic; its messages wait", {{"topic", lane.topic()}});
  }
  return false;
}

void Dispatcher::measure() {
  Depth found;
  const Instant at = now();
  storage_.write_now([&](Tx& tx) { found = depth(tx, at); });
  gauges_->pending = static_cast<double>(found.pending);
  gauges_->oldest_seconds = static_cast<double>(std::max<std::int64_t>(0, at.ms - found.oldest_due.ms)) / 1000;
}

void Dispatcher::deliver_claims() {
  std::unique_lock lock(mutex_);
  while (true) {
    work_.wait(lock, [&] { return stopping_ || !claimed_.empty(); });
    if (stopping_) return;
    const Claim claim = std::move(claimed_.front());
    claimed_.pop_front();
    lock.unlock();
    deliver(claim);
    lock.lock();
    --under_way_;
    finished_ = true;
    room_.notify_all();
  }
}

void Dispatcher::deliver(const Claim& claim) {
  const Topic& topic = topics_.find(claim.delivery.topic)->second;
  Verdict verdict;
  try {
    verdict = topic.handler(claim.delivery);
  } catch (const std::exception& error) {
    verdict = retry(error.what());
  }
  try {
    settle(claim, topic, verdict);
  } catch (const std::exception& error) {
    log::error("outbox: a delivery could not be marked", {{"id", claim.delivery.id}, {"error", error.what()}});
    verdict = retry(error.what());
    settle_failure(claim, topic, verdict);
  }
  count(claim, verdict);
  const std::lock_guard lock(mutex_);
  if (verdict.kind == Verdict::Kind::retry) {
    lanes_.failed(claim.lane, now(), verdict.after);
  } else {
    lanes_.succeeded(claim.lane);
  }
}

void Dispatcher::settle(const Claim& claim, const Topic& topic, Verdict& verdict) {
  if (verdict.kind == Verdict::Kind::retry && claim.delivery.attempts >= topic.policy.attempts_max) {
    verdict.kind = Verdict::Kind::dead;
  }
  const Instant at = now();
  const Instant due = at + wait_before_next(topic.policy, claim.delivery.attempts, chance(), verdict.after);
  storage_.write_now([&](Tx& tx) {
    bool ours = false;
    switch (verdict.kind) {
      case Verdict::Kind::done:
        ours = mark_done(tx, claim, at);
        break;
      case Verdict::Kind::retry:
        ours = mark_retry(tx, claim, verdict.reason, due);
        break;
      case Verdict::Kind::dead:
        ours = mark_dead(tx, claim, verdict.reason, at);
        break;
    }
    if (ours && verdict.also) verdict.also(tx);
  });
}

// What the verdict was to write may be at fault. If the database is, the claim runs out, and the message is delivered
// once more.
void Dispatcher::settle_failure(const Claim& claim, const Topic& topic, Verdict& verdict) {
  try {
    settle(claim, topic, verdict);
  } catch (const std::exception& error) {
    log::error("outbox: a message waits until its claim runs out",
               {{"id", claim.delivery.id}, {"error", error.what()}});
  }
}

void Dispatcher::count(const Claim& claim, const Verdict& verdict) {
  metrics_
      .counter("outbox_attempts_total", "Deliveries tried, by what came of them.",
               {{"topic", claim.delivery.topic}, {"verdict", std::string(name_of(verdict.kind))}})
      .add();
  if (verdict.kind == Verdict::Kind::dead) {
    log::error("outbox: a message is dead; an admin may queue it again", {{"tenant", claim.delivery.tenant.text()},
                                                                          {"id", claim.delivery.id},
                                                                          {"topic", claim.delivery.topic},
                                                                          {"reason", verdict.reason}});
  }
}

}  // namespace guildhall::outbox
