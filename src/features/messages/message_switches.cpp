#include "features/messages/message_switches.h"

#include "base/clock.h"

namespace guildhall {
namespace {

constexpr std::chrono::seconds kept_for{5};
constexpr std::size_t tenants_max = 10'000;

}  // namespace

MessageSwitch MessageSwitches::find(Tx& tx, const TenantId& tenant, MessageKind kind) {
  const Instant at = now();
  std::int64_t changes = 0;
  {
    const std::lock_guard lock(mutex_);
    const auto known = known_.find(tenant.text());
    if (known != known_.end() && at < known->second.until) return switch_of(known->second.kinds, kind);
    changes = changes_;
  }
  std::vector<MessageSwitch> kinds = read_message_switches(tx, tenant);
  const MessageSwitch found = switch_of(kinds, kind);
  const std::lock_guard lock(mutex_);
  if (changes != changes_) return found;
  if (known_.size() >= tenants_max) known_.clear();
  known_[tenant.text()] = {std::move(kinds), at + kept_for};
  return found;
}

void MessageSwitches::forget(const TenantId& tenant) {
  const std::lock_guard lock(mutex_);
  ++changes_;
  known_.erase(tenant.text());
}

}  // namespace guildhall
