#pragma once

#include <string>
#include <string_view>

// The calls of the chat platform's REST interface that we make: each says what to send where, and which calls share a
// limit with it. `ChatClient` sends them.
namespace guildhall {

struct ChatCall {
  std::string method;
  std::string path;
  std::string bucket;           // the method and the path without its lesser ids
  std::string body{};           // JSON; empty: none
  bool needs_bot_token = true;  // otherwise a token in the path is the credential
};

struct ChatMember {
  std::string guild;
  std::string user;
};

// Where an interaction's answers go, for fifteen minutes.
struct InteractionAddress {
  std::string application_id;
  std::string token;
};

// A message's body: nobody is notified by it, whatever it says. `nonce`: the platform makes one message of all sends
// with the same one; empty: none.
std::string message_body(std::string_view content, std::string_view nonce = {});

// At most 25 characters, as the platform wants it; the same for the same text.
std::string nonce_of(std::string_view text);

ChatCall create_message(const std::string& channel, std::string body);
ChatCall edit_message(const std::string& channel, const std::string& message, std::string body);
ChatCall delete_message(const std::string& channel, const std::string& message);
ChatCall read_channel(const std::string& channel);
ChatCall open_direct_channel(const std::string& user);

ChatCall answer_interaction(const std::string& interaction_id, const std::string& token, std::string body);
ChatCall edit_answer(const InteractionAddress& address, std::string body);
ChatCall delete_answer(const InteractionAddress& address);
ChatCall follow_up(const InteractionAddress& address, std::string body);

ChatCall read_member(const ChatMember& member);
ChatCall give_role(const ChatMember& member, const std::string& role);
ChatCall take_role(const ChatMember& member, const std::string& role);

// All of the application's commands at once: everywhere, or in one guild.
ChatCall publish_commands(const std::string& application_id, const std::string& guild, std::string body);

}  // namespace guildhall
