#pragma once

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/instant.h"

// The chat server of the sandbox: the data that the platform keeps.
namespace guildhall::sandbox {

struct Message {
  std::string id;
  std::string author;
  Instant created_at{};
  std::optional<std::string> ephemeral_for{};  // the only member who sees it
  std::string content{};
  std::string embeds = "[]";      // JSON, as the bot sent it
  std::string components = "[]";  // JSON, as the bot sent it
  std::string reply_member{};     // of the interaction that it answers; empty: none
  std::string reply_command{};
  std::string nonce{};
  bool pending = false;  // the bot has announced an answer, and the member sees "thinking"
};

// A channel keeps its newest messages.
struct Channel {
  static constexpr std::size_t messages_max = 100;

  std::string id;
  std::string name;
  std::string recipient{};  // the member of a direct channel; empty: a channel of the guild
  std::deque<Message> messages{};

  Message& add(Message message);
  Message* find(const std::string& id);
  void remove(const std::string& id);
};

struct Role {
  std::string id;
  std::string name;
  int color = 0;
  int position = 0;
};

struct Member {
  std::string id;
  std::string username;
  std::string display_name;
  std::string permissions = "0";
  std::vector<std::string> roles{};
};

struct Guild {
  static constexpr std::size_t members_max = 500;

  std::string id;
  std::string name = "Lantern Guild";
  std::vector<Role> roles{};  // the bot may assign those below its own
  std::deque<Channel> channels{};
  std::deque<Channel> direct_channels{};
  std::vector<Member> members{};

  Member* find_member(const std::string& id);
  Channel* find_channel(const std::string& id);  // also a direct one
  Channel& direct_channel(const std::string& member);
  const Role* find_role(const std::string& id) const;
};

// The guild with which a sandbox begins.
Guild lantern_guild(const std::string& id);

inline constexpr int bot_role_position = 10;

// A new id of the platform: increasing, and with the time in it.
std::string new_snowflake();

void append_json(std::string& out, const Message& message);
void append_json(std::string& out, const Guild& guild, const std::string& commands);

}  // namespace guildhall::sandbox
