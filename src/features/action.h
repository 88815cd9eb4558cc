#pragma once

#include "api/call.h"
#include "outbox/events.h"

namespace guildhall {

// The action of a request, inside its transaction.
inline ActionContext action_of(const api::Call& call, Tx& tx, const Events& events) {
  return {tx, events, call.tenant, call.actor(), call.now};
}

// The same for a change that emits no event.
inline AuditContext action_of(const api::Call& call, Tx& tx) {
  return {tx, call.tenant, call.actor(), call.now};
}

}  // namespace guildhall
