#include "outbox/dispatcher.h"

#include "base/log.h"

namespace guildhall::outbox {
namespace {

using std::chrono::milliseconds;

constexpr std::int64_t lanes_per_search_max = 256;
constexpr milliseconds pause_after_failure{1'000};
constexpr milliseconds between_measurements{10'000};
constexpr milliseconds rest_max{10'000};  // an admin may queue the message for which a lane waits again

}  // namespace

Dispatcher::Dispatcher(Storage& storage, Metrics& metrics, DispatcherOptions options)
    : storage_(storage),
      metrics_(metrics),
      failures_(metrics, "outbox"),
      options_(options),
      locking_(storage.name() == "postgresql" ? Locking::skip_locked : Locking::one_writer),
      lanes_(options.lanes) {}

Dispatcher::~Dispatcher() {
  stop();
}

void Dispatcher::handle(std::string topic, Handler handler, RetryPolicy policy, Order order) {
  const auto gauges = std::make_shared<TopicGauges>();
  metrics_.gauge("outbox_pending", "Pending messages; at most 100000 are counted in all.",
                 [gauges] { return gauges->pending.load(); }, {{"topic", topic}});
  metrics_.gauge("outbox_oldest_seconds", "Seconds since the longest-waiting pending message became due.",
                 [gauges] { return gauges->oldest_seconds.load(); }, {{"topic", topic}});
  // From zero on, because Prometheus does not see the increase of a counter that begins with one.
  for (const auto kind : {Verdict::Kind::done, Verdict::Kind::retry, Verdict::Kind::dead}) attempts(topic, kind);
  topics_[std::move(topic)] = {std::move(handler), policy, order, gauges};
}

void Dispatcher::start() {
  if (options_.threads == 0) return;
  // No other process uses an embedded database, so every existing claim belongs to a process that died.
  if (locking_ == Locking::one_writer) storage_.write_now([](Tx& tx) { release_all(tx, now()); });
  delivering_.emplace_back([this] { deliver_messages(); });
  claiming_ = std::thread([this] { claim_messages(); });
}

// Starts a thread for each message in flight that has none yet, at most `options_.threads`. Needs the lock.
void Dispatcher::start_threads() {
  failures_.attempt({}, [&] {
    while (static_cast<int>(delivering_.size()) < in_flight_) delivering_.emplace_back([this] { deliver_messages(); });
  });
}

void Dispatcher::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  claimed_.notify_all();
  delivered_.notify_all();
  if (claiming_.joinable()) claiming_.join();
  for (std::thread& thread : delivering_) thread.join();
  delivering_.clear();
  if (!waiting_.empty()) release_waiting();
}

void Dispatcher::release_waiting() {
  try {
    storage_.write_now([&](Tx& tx) {
      for (const Claim& claim : waiting_) release(tx, claim, now());
    });
  } catch (const std::exception& error) {
    log::warn("outbox: claims were not released; they expire by themselves", {{"error", error.what()}});
  }
  waiting_.clear();
}

void Dispatcher::claim_messages() {
  auto measured = std::chrono::steady_clock::now() - between_measurements;
  std::unique_lock lock(mutex_);
  while (true) {
    delivered_.wait(lock, [&] { return stopping_ || in_flight_ < options_.threads; });
    if (stopping_) return;
    const int count = options_.threads - in_flight_;
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
      failures_.record({}, error.what());
      pause = pause_after_failure;
    }
    lock.lock();
    for (Claim& claim : found) {
      lanes_.started(claim.lane);
      ++in_flight_;
      waiting_.push_back(std::move(claim));
    }
    if (found.empty()) {
      delivered_.wait_for(lock, pause, [&] { return stopping_ || delivered_since_search_; });
    } else {
      start_threads();
      claimed_.notify_all();
    }
  }
}

std::vector<Claim> Dispatcher::claim_some(int count) {
  const Lanes before = [&] {
    const std::lock_guard lock(mutex_);
    delivered_since_search_ = false;
    return lanes_;
  }();
  const DueLanes due = find_due_lanes(before);
  if (due.lanes.empty()) return {};  // an idle outbox must not open a writing transaction
  Batch batch;
  const bool claimed =
      failures_.attempt({}, [&] { storage_.write_now([&](Tx& tx) { batch = claim_from(tx, due, count, before); }); });
  if (!claimed) batch = claim_by_lane(due, count, before);
  last_served_ = batch.last_served;
  const std::lock_guard lock(mutex_);
  // A delivery that has ended in the meantime may have been the one for which a lane waits.
  if (!delivered_since_search_) {
    for (const auto& [lane, until] : batch.resting) lanes_.rest(lane, until);
  }
  return std::move(batch.claims);
}

// The lanes that have a message due and may start a delivery: first those after the last one served, then the others.
Dispatcher::DueLanes Dispatcher::find_due_lanes(const Lanes& lanes) {
  DueLanes due{.lanes = {}, .at = now()};
  storage_.read_now([&](Tx& tx) {
    due.lanes = due_lanes(tx, last_served_, due.at, lanes_per_search_max);
    if (due.lanes.size() == static_cast<std::size_t>(lanes_per_search_max)) return;
    for (Lane& lane : due_lanes(tx, {}, due.at, lanes_per_search_max)) {
      if (lane > last_served_) break;
      due.lanes.push_back(std::move(lane));
    }
  });
  std::erase_if(due.lanes, [&](const Lane& lane) { return !is_handled(lane) || lanes.room(lane, due.at) == 0; });
  return due;
}

// Claims up to `count` messages, from each lane as many as it may start.
Dispatcher::Batch Dispatcher::claim_from(Tx& tx, const DueLanes& due, int count, Lanes lanes) {
  Batch batch{.claims = {}, .last_served = last_served_, .resting = {}};
  for (const Lane& lane : due.lanes) {
    const int left = count - static_cast<int>(batch.claims.size());
    if (left == 0) break;
    const int room = std::min(left, lanes.room(lane, due.at));
    if (room == 0) continue;
    batch.last_served = lane;
    std::vector<Claim> claims = claim(tx, locking_of(lane), lane, due.at, due.at + options_.lease, room);
    if (claims.empty() && is_ordered(lane)) {
      if (const auto oldest = oldest_due(tx, lane)) {
        batch.resting.emplace_back(lane, std::min(*oldest, due.at + rest_max));
      }
    }
    for (Claim& claimed : claims) {
      lanes.started(lane);
      batch.claims.push_back(std::move(claimed));
    }
  }
  return batch;
}

// Claims from each lane in a transaction of its own, after one of them has failed: it does not stop the others.
Dispatcher::Batch Dispatcher::claim_by_lane(const DueLanes& due, int count, Lanes lanes) {
  Batch all{.claims = {}, .last_served = last_served_, .resting = {}};
  for (const Lane& lane : due.lanes) {
    const int left = count - static_cast<int>(all.claims.size());
    if (left == 0) break;
    Batch batch;
    const bool claimed = failures_.attempt({lane.tenant, lane.name}, [&] {
      storage_.write_now([&](Tx& tx) { batch = claim_from(tx, {.lanes = {lane}, .at = due.at}, left, lanes); });
    });
    all.last_served = lane;
    if (!claimed) continue;
    for (Claim& claim : batch.claims) {
      lanes.started(lane);
      all.claims.push_back(std::move(claim));
    }
    all.resting.insert(all.resting.end(), batch.resting.begin(), batch.resting.end());
  }
  return all;
}

bool Dispatcher::is_ordered(const Lane& lane) const {
  return topics_.find(lane.topic())->second.order == Order::as_appended;
}

Locking Dispatcher::locking_of(const Lane& lane) const {
  const bool in_order = is_ordered(lane);
  if (locking_ == Locking::one_writer) return in_order ? Locking::one_writer_oldest : Locking::one_writer;
  return in_order ? Locking::wait_for_oldest : Locking::skip_locked;
}

bool Dispatcher::is_handled(const Lane& lane) {
  if (topics_.contains(lane.topic())) return true;
  if (unknown_topics_.emplace(lane.topic()).second) {
    log::warn("outbox: this topic has no handler; its messages stay pending", {{"topic", lane.topic()}});
  }
  return false;
}

void Dispatcher::measure() {
  std::map<std::string, Depth, std::less<>> found;
  const Instant at = now();
  storage_.read_now([&](Tx& tx) { found = depth_by_topic(tx); });
  for (const auto& [name, topic] : topics_) {
    const auto depth = found.find(name);
    const bool waiting = depth != found.end();
    topic.gauges->pending = waiting ? static_cast<double>(depth->second.pending) : 0;
    const std::int64_t overdue_ms = waiting ? std::max<std::int64_t>(0, at.ms - depth->second.oldest_due.ms) : 0;
    topic.gauges->oldest_seconds = static_cast<double>(overdue_ms) / 1000;
  }
}

}  // namespace guildhall::outbox
