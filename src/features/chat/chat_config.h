#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/config.h"

namespace guildhall::chat {

// The configuration of the chat bot.
struct ChatConfig {
  std::string chat_public_key;                // bytes; empty: interactions are not verified
  bool chat_interactions_unverified = false;  // the operator accepts unsigned interactions in production
  bool chat_auto_provision = false;
  std::int64_t rate_limit_chat_per_min = 0;

  // Whether a chat command may create a shop. An unverified interaction can be forged by anybody, so creating shops
  // with one needs the operator's consent.
  bool chat_makes_tenants() const { return chat_auto_provision || !chat_public_key.empty(); }

  static std::vector<VariableOf<ChatConfig>> variables();
};

}  // namespace guildhall::chat
