#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

// What the chat platform sends us when a member does something. Pure.
namespace guildhall::chat {

struct Interaction {
  enum class Type { ping = 1, command = 2, component = 3, modal = 5 };

  Type type = Type::ping;
  std::string id;  // may be empty: then it cannot be told from its repetition
  std::string application_id;
  std::string token;       // what its answer is edited with
  std::string guild_id;    // empty: a direct message
  std::string channel_id;  // may be empty
  std::string locale;      // the member's: en-US, de …

  // Who did it; empty: the platform has not said.
  std::string user_id;
  std::string username;
  std::string display_name;
  std::vector<std::string> role_ids;  // only in a guild
  bool manages_guild = false;

  std::string name;                           // of the command, or the custom id of the component or modal
  std::map<std::string, std::string> inputs;  // a command's options or a modal's texts, by name
  std::vector<std::string> chosen;            // in a select
  bool has_resolved = false;
  std::set<std::string> resolved;  // ids in a command's options that the platform knows as the guild's

  // Whether an id in an option is a member or a channel of the guild, as far as the platform has said.
  bool is_of_guild(const std::string& named) const { return !has_resolved || resolved.contains(named); }

  std::string input(const std::string& key) const;  // empty when there is none
};

// Throws Failure invalid naming what is wrong.
Interaction parse_interaction(std::string_view body);

// Who sent it, of a body that has not been verified and may be anything: empty when that cannot be told.
std::string sender_of(std::string_view body);

}  // namespace guildhall::chat
