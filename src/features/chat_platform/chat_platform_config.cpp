#include "features/chat_platform/chat_platform_config.h"

#include "base/config_values.h"

namespace guildhall {

std::vector<VariableOf<ChatPlatformConfig>> ChatPlatformConfig::variables() {
  return {
      {"CHAT_API_BASE_URL", "https://discord.com/api/v10", &ChatPlatformConfig::chat_api_base_url, parse_base_url,
       "The chat platform's address."},
      {"CHAT_BOT_TOKEN", "", &ChatPlatformConfig::chat_bot_token, parse_text,
       "The bot's token; it assigns roles and sends messages.", Exposure::secret},
      {"CHAT_APPLICATION_ID", "", &ChatPlatformConfig::chat_application_id, parse_text,
       "The application's id at the chat platform; `guildhall chat register-commands` needs it."},
  };
}

}  // namespace guildhall
