#pragma once

#include <string>
#include <vector>

#include "base/config.h"

namespace guildhall {

// The configuration of calls to the chat platform.
struct ChatPlatformConfig {
  std::string chat_api_base_url;
  std::string chat_bot_token;  // empty: the chat platform is not called
  std::string chat_application_id;

  static std::vector<VariableOf<ChatPlatformConfig>> variables();
};

}  // namespace guildhall
