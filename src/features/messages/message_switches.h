#pragma once

#include <map>
#include <mutex>

#include "features/messages/message_settings.h"

namespace guildhall {

// The switches of the tenants, kept for a few seconds, so that an order of a shop that does not send messages costs no
// statement. Another node may notice a change after this time; a message is checked again before it is sent.
// Thread-safe.
class MessageSwitches {
 public:
  MessageSwitch find(Tx& tx, const TenantId& tenant, MessageKind kind);

  // Must be called after a change was committed.
  void forget(const TenantId& tenant);

 private:
  struct Known {
    std::vector<MessageSwitch> kinds;
    Instant until;
  };

  std::mutex mutex_;
  std::map<std::string, Known> known_;
  std::int64_t changes_ = 0;  // a read that began before the last one is not kept
};

}  // namespace guildhall
