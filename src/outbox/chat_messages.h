#pragma once

#include <string>
#include <string_view>

#include "base/declared.h"

// The outbox message that posts to a channel of the chat platform. The code that appends it escapes text that came from
// members; the code that sends it also tells the platform to notify nobody.
namespace guildhall {

constexpr std::string_view chat_message_topic = "chat.message";
constexpr std::size_t chat_message_characters_max = 2000;

struct ChatMessage {
  std::string channel_id;
  std::string content;
};
BOOST_DESCRIBE_STRUCT(ChatMessage, (), (channel_id, content))

}  // namespace guildhall
