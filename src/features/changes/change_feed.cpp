#include "features/changes/change_feed.h"

#include <algorithm>

namespace guildhall {
namespace {

constexpr std::chrono::milliseconds read_every{250};
constexpr std::chrono::seconds pause_after_failure{2};
// A tenant with too many changes is not asked to reload more often.
constexpr std::chrono::seconds pause_after_reload{2};

// Bounds the work of one reading: a tenant with many streams gets fewer changes at a time. The rest follows with the
// next readings, up to behind_max.
constexpr std::int64_t deliveries_max = 20'000;
constexpr std::int64_t changes_max = 500;
constexpr std::int64_t changes_min = 20;

std::int64_t changes_for(std::size_t streams) {
  return std::clamp(deliveries_max / std::max<std::int64_t>(1, static_cast<std::int64_t>(streams)), changes_min,
                    changes_max);
}

}  // namespace

ChangeFeed::ChangeFeed(Storage& storage, Metrics& metrics, std::size_t streams_max, std::size_t streams_per_tenant)
    : storage_(storage),
      failures_(metrics, "live_changes"),
      streams_(streams_max, streams_per_tenant),
      reloads_(metrics.counter("change_stream_reloads_total", "Clients of live changes that were asked to reload.")) {
  metrics.gauge("change_streams", "Open streams of live changes.",
                [this] { return static_cast<double>(streams_.held()); });
}

ChangeFeed::~ChangeFeed() {
  stop();
}

void ChangeFeed::start() {
  thread_ = std::thread([this] { run(); });
}

void ChangeFeed::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void ChangeFeed::run() {
  std::unique_lock lock(mutex_);
  while (true) {
    wake_.wait(lock, [this] { return stopping_ || !by_tenant_.empty(); });
    if (stopping_) return;
    std::chrono::milliseconds pause = read_every;
    lock.unlock();
    try {
      read_all();
    } catch (const std::exception& error) {
      failures_.record({}, error.what());
      pause = pause_after_failure;
    }
    lock.lock();
    wake_.wait_for(lock, pause, [this] { return stopping_; });
  }
}

std::vector<ChangeFeed::Followed> ChangeFeed::followed() {
  const std::lock_guard lock(mutex_);
  std::vector<Followed> all;
  for (const auto& [tenant, changes] : by_tenant_) all.push_back({TenantId(tenant), changes});
  return all;
}

void ChangeFeed::read_all() {
  const std::vector<Followed> all = followed();
  std::vector<TenantId> tenants;
  for (const Followed& each : all) tenants.push_back(each.tenant);
  std::vector<ChainState> states;
  storage_.read_now([&](Tx& tx) { states = chain_states(tx, tenants); });
  std::unordered_map<std::string_view, const ChainState*> state_of;
  for (const ChainState& state : states) state_of[state.tenant.text()] = &state;
  for (const Followed& each : all) {
    each.changes->drop_old();
    failures_.attempt({.tenant = each.tenant.text()}, [&] { read_one(each, *state_of.at(each.tenant.text())); });
  }
}

void ChangeFeed::read_one(const Followed& followed, const ChainState& state) {
  const std::int64_t after = followed.changes->end().sequence;
  if (followed.changes->has_restarted_within(pause_after_reload)) return;
  if (state.head.sequence - after > behind_max) {
    return followed.changes->restart(ChangePosition::of(state.head));
  }
  if (state.waiting) seal_audit_trail_of(storage_, followed.tenant);
  if (!state.waiting && state.head.sequence <= after) return;
  std::vector<EncodedChange> changes;
  storage_.read_now([&](Tx& tx) {
    changes.clear();
    const std::int64_t limit = changes_for(followed.changes->subscribers());
    for (const SealedChange& change : tx.all(sealed_changes(followed.tenant, after, limit))) {
      changes.push_back(encoded(change));
    }
  });
  followed.changes->add(std::move(changes));
}

ChangeFeed::Subscription::Subscription(ChangeFeed& feed, const TenantId& tenant, const ChangePosition& from,
                                       std::function<void()> changed)
    : feed_(feed), tenant_(tenant.text()) {
  {
    const std::lock_guard lock(feed_.mutex_);
    auto& changes = feed_.by_tenant_[tenant_];
    if (!changes) changes = std::make_shared<RecentChanges>(from, feed_.recent_bytes_);
    changes_ = changes;
    subscriber_ = changes_->subscribe(std::move(changed));
  }
  feed_.wake_.notify_all();
}

ChangeFeed::Subscription::~Subscription() {
  const std::lock_guard lock(feed_.mutex_);
  changes_->unsubscribe(subscriber_);
  if (changes_->subscribers() == 0) feed_.by_tenant_.erase(tenant_);
}

}  // namespace guildhall
