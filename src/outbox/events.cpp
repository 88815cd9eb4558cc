#include "outbox/events.h"

#include <algorithm>

namespace guildhall {

bool Events::has_subscribers(Tx& tx, const TenantId& tenant, std::string_view name) const {
  return subscribers_.contains(name) ||
         std::ranges::any_of(general_subscribers_, [&](const auto& each) { return each.interest(tx, tenant, name); });
}

void Events::emit(Tx& tx, const Event& event) const {
  const auto found = subscribers_.find(event.name);
  if (found != subscribers_.end()) {
    for (const Subscriber& subscriber : found->second) subscriber(tx, event);
  }
  for (const auto& [interest, hear] : general_subscribers_) {
    if (interest(tx, event.tenant, event.name)) hear(tx, event);
  }
}

}  // namespace guildhall
