#pragma once

#include "base/config.h"
#include "outbox/events.h"

namespace guildhall {

// Who listens to which event, all in one place: a subscriber runs in the transaction of the event's cause.
void subscribe_all(Events& events, const Config& config);

}  // namespace guildhall
