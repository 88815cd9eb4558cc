#pragma once

#include <string>
#include <string_view>

// The calls that this server makes to the chat platform's REST API. `ChatClient` sends them.
namespace guildhall {

struct ChatCall {
  std::string method;
  std::string path;
  std::string bucket;           // calls of one bucket share a rate limit: the method, and the path without minor ids
  std::string body{};           // JSON; may be empty
  bool needs_bot_token = true;  // false: a token in the path is the credential
};

struct ChatMember {
  std::string guild;
  std::string user;
};

// The address of an interaction's answers. It is valid for fifteen minutes.
struct InteractionAddress {
  std::string application_id;
  std::string token;
};

// A button that opens an address.
struct LinkButton {
  std::string_view label;
  std::string_view url;  // empty: no button
};

// The body of a message. Mentions in it notify nobody. `nonce` makes sending idempotent: the platform creates one
// message for all calls with the same nonce. Empty: no nonce.
std::string message_body(std::string_view content, std::string_view nonce = {}, const LinkButton& link = {});

// A digest of the text, of at most 25 characters, which is the platform's limit.
std::string nonce_of(std::string_view text);

ChatCall create_message(const std::string& channel, std::string body);
ChatCall edit_message(const std::string& channel, const std::string& message, std::string body);
ChatCall read_channel(const std::string& channel);
ChatCall open_direct_channel(const std::string& user);

ChatCall answer_interaction(const std::string& interaction_id, const std::string& token, std::string body);
ChatCall edit_answer(const InteractionAddress& address, std::string body);
ChatCall follow_up(const InteractionAddress& address, std::string body);

ChatCall read_roles(const std::string& guild);
ChatCall read_member(const ChatMember& member);
ChatCall add_role(const ChatMember& member, const std::string& role);
ChatCall remove_role(const ChatMember& member, const std::string& role);

// The application of the bot token.
ChatCall read_application();
ChatCall read_commands(const std::string& application_id);

// Replaces all commands of the application, in all guilds or (`guild` not empty) in one.
ChatCall publish_commands(const std::string& application_id, const std::string& guild, std::string body);

}  // namespace guildhall
