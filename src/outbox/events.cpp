#include "outbox/events.h"

namespace guildhall {

void Events::call_subscribers(std::type_index type, const ActionContext& context, const void* event) const {
  const auto found = subscribers_.find(type);
  if (found == subscribers_.end()) return;
  for (const Subscriber& subscriber : found->second) subscriber(context, event);
}

}  // namespace guildhall
