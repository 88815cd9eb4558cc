#include "features/orders/order_expiry_job.h"

#include "base/log.h"
#include "features/orders/order_expiry.h"
#include "features/orders/order_timeline.h"

namespace guildhall {
namespace {

constexpr std::int64_t tenants_a_step = 500;
constexpr std::int64_t orders_a_step = 100;

template <class T>
std::vector<T> read(Storage& storage, const Select<T>& select) {
  std::vector<T> rows;
  storage.read_now([&](Tx& tx) { rows = tx.all(select); });
  return rows;
}

std::int64_t expire_orders_of(Storage& storage, const Events& events, const ExpiryRule& rule, Instant now,
                              const JobFailures& failures) {
  const Instant cutoff = now - std::chrono::minutes(rule.minutes);
  std::int64_t expired = 0;
  std::vector<Position> due;
  Position last{{INT64_MIN}, ""};
  do {
    due = read(storage, unpaid_orders(rule.tenant, cutoff, last, orders_a_step, now));
    for (const Position& order : due) {
      failures.attempt({rule.tenant.text(), order.id}, [&] {
        bool done = false;
        storage.write_now([&](Tx& tx) {
          done = expire_order({tx, events, rule.tenant, order_expiry_actor(), now}, OrderId(order.id));
        });
        if (done) ++expired;
      });
    }
    if (!due.empty()) last = due.back();
  } while (due.size() == static_cast<std::size_t>(orders_a_step));
  return expired;
}

}  // namespace

std::int64_t expire_unpaid_orders(Storage& storage, const Events& events, std::int64_t default_minutes, Instant now,
                                  const JobFailures& failures) {
  std::int64_t expired = 0;
  std::vector<ExpiryRule> rules;
  TenantId last;
  do {
    rules = read(storage, expiry_rules(last, default_minutes, tenants_a_step));
    for (const ExpiryRule& rule : rules) {
      failures.attempt({.tenant = rule.tenant.text()},
                       [&] { expired += expire_orders_of(storage, events, rule, now, failures); });
    }
    if (!rules.empty()) last = rules.back().tenant;
  } while (rules.size() == static_cast<std::size_t>(tenants_a_step));
  if (expired > 0) log::info("unpaid orders expired", {{"count", expired}});
  return expired;
}

}  // namespace guildhall
