#include "app/ops/commands.h"
#include "features/chat/command_list.h"

namespace guildhall {

void register_chat_commands(const ChatPlatformConfig& config, const std::string& guild) {
  if (config.chat_application_id.empty()) throw std::runtime_error("CHAT_APPLICATION_ID is not set.");
  ChatClient client(config.chat_api_base_url, config.chat_bot_token, nullptr);
  const ChatReply reply = client.send(publish_commands(config.chat_application_id, guild, chat::commands_json()));
  if (reply.ok()) return;
  throw std::runtime_error("The chat platform has not taken the commands: " +
                           (reply.status == 0 ? reply.message : reply.description()));
}

}  // namespace guildhall
