#pragma once

#include "base/declared.h"
#include "base/field_types.h"
#include "features/chat_platform/chat_client.h"
#include "features/tenancy/guild_binding.h"
#include "outbox/chat_messages.h"
#include "outbox/verdict.h"

// Messages and edits that the outbox sends to the chat platform.
namespace guildhall {

// The topic of edits of an interaction's reply.
constexpr std::string_view chat_edit_topic = "chat.edit";

// The caller escapes text that came from members.
struct DirectMessage {
  std::string user_id;
  std::string content;
  std::string link_label;
  std::string link_url;  // empty: no button
};

// The time for which the platform accepts edits of an interaction's reply.
constexpr std::chrono::minutes interaction_token_lifetime{15};

struct ChatEdit {
  std::string application_id;
  std::string token;
  JsonObject message;
};
BOOST_DESCRIBE_STRUCT(ChatEdit, (), (application_id, token, message))

// The first retry comes soon, because the member is waiting.
constexpr outbox::RetryPolicy chat_edit_policy{
    .first = std::chrono::seconds(1), .longest = std::chrono::seconds(30), .attempts_max = 60};

// Whether a channel is in one of a shop's own chat servers. The bot may also be a member of other shops' servers.
struct ChannelOwner {
  enum class Kind { own, another, unknown };
  Kind kind = Kind::unknown;
  ChatReply reply;  // the platform's; says why the owner is unknown
};

// Asks the platform. Blocks.
ChannelOwner owner_of_channel(ChatClient& client, const std::string& channel,
                              const std::vector<GuildBinding>& own_guilds);

// The outbox's handler of chat_message_topic. A shop can send messages only to its own servers.
outbox::Verdict send_chat_message(ChatClient& client, Storage& storage, const outbox::Delivery& delivery);

// The result of sending a direct message.
struct DirectAttempt {
  outbox::Verdict verdict;
  bool unreachable = false;  // the member refuses direct messages, or is not in one of the shop's servers
  bool refused = false;      // the member refuses them
};

// Sends a direct message to a member of one of the tenant's servers, once for all calls with the same nonce. Blocks.
DirectAttempt try_direct_message(ChatClient& client, Storage& storage, const TenantId& tenant,
                                 const DirectMessage& message, const std::string& nonce);

// The outbox's handler of chat_edit_topic.
outbox::Verdict edit_chat_answer(ChatClient& client, const outbox::Delivery& delivery);

}  // namespace guildhall
