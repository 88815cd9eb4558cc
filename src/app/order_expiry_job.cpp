#include "app/order_expiry_job.h"

#include "base/log.h"
#include "features/orders/order_expiry.h"
#include "features/orders/order_timeline.h"

namespace guildhall {
namespace {

constexpr std::chrono::seconds expiry_pause{30};
constexpr std::int64_t tenants_a_step = 500;
constexpr std::int64_t orders_a_step = 100;

template <class T>
std::vector<T> read(Storage& storage, const Select<T>& select) {
  std::vector<T> rows;
  storage.read_now([&](Tx& tx) { rows = tx.all(select); });
  return rows;
}

std::int64_t expire_orders_of(Storage& storage, const Events& events, const ExpiryRule& rule, Instant now) {
  const Instant cutoff = now - std::chrono::minutes(rule.minutes);
  std::int64_t expired = 0;
  std::vector<OrderId> due;
  do {
    due = read(storage, unpaid_orders(rule.tenant, cutoff, orders_a_step, now));
    for (const OrderId& id : due) {
      bool done = false;
      storage.write_now([&](Tx& tx) { done = expire_order({tx, events, rule.tenant, order_expiry_actor(), now}, id); });
      if (done) ++expired;
    }
  } while (due.size() == static_cast<std::size_t>(orders_a_step));
  return expired;
}

}  // namespace

std::int64_t expire_unpaid_orders(Storage& storage, const Events& events, std::int64_t default_minutes, Instant now) {
  std::int64_t expired = 0;
  std::vector<ExpiryRule> rules;
  TenantId last;
  do {
    rules = read(storage, expiry_rules(last, default_minutes, tenants_a_step));
    for (const ExpiryRule& rule : rules) expired += expire_orders_of(storage, events, rule, now);
    if (!rules.empty()) last = rules.back().tenant;
  } while (rules.size() == static_cast<std::size_t>(tenants_a_step));
  return expired;
}

OrderExpiryJob::OrderExpiryJob(Storage& storage, const Events& events, const OrderConfig& config)
    : storage_(storage), events_(events), config_(config), thread_([this] { work(); }) {}

OrderExpiryJob::~OrderExpiryJob() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  thread_.join();
}

bool OrderExpiryJob::wait_for_next() {
  std::unique_lock lock(mutex_);
  return !wake_.wait_for(lock, expiry_pause, [this] { return stopping_; });
}

void OrderExpiryJob::work() {
  while (wait_for_next()) {
    try {
      const auto expired = expire_unpaid_orders(storage_, events_, config_.order_expiry_minutes, now());
      if (expired > 0) log::info("unpaid orders expired", {{"count", expired}});
    } catch (const std::exception& error) {
      log::warn("expiring unpaid orders failed; it will try again", {{"error", error.what()}});
    }
  }
}

}  // namespace guildhall
