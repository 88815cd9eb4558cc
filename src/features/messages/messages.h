#pragma once

#include "features/messages/alerts/push_subscription.h"
#include "features/messages/message_queue.h"
#include "features/messages/unsubscribe_link.h"

namespace guildhall {

// The parts of this slice that the whole process shares.
struct Messages {
  const InstallationConfig& installation;
  MessageMedia media;
  UnsubscribeLinks links;
  PushSetup push{};
};

}  // namespace guildhall
