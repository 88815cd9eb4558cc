#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/failure.h"
#include "base/ids.h"

// An interaction is the chat platform's report that a member used a command, a component or a modal. Pure.
namespace guildhall::chat {

struct Interaction {
  enum class Type { ping = 1, command = 2, component = 3, modal = 5 };

  Type type = Type::ping;
  std::string id;  // may be empty: then a repetition cannot be recognised
  std::string application_id;
  std::string token;       // the credential for edits of the answer
  std::string guild_id;    // empty: a direct message
  std::string channel_id;  // may be empty
  std::string locale;      // the member's: en-US, de …

  // The member. All are empty when the platform has not named one.
  std::string user_id;
  std::string username;
  std::string display_name;
  std::vector<std::string> role_ids;  // only in a guild
  bool manages_guild = false;

  std::string name;                           // the command's name, or the custom id of the component or modal
  std::map<std::string, std::string> inputs;  // a command's options or a modal's texts, by name
  std::vector<std::string> chosen;            // the values chosen in a select
  bool has_resolved = false;                  // the platform has sent `resolved`
  std::set<std::string> resolved;             // ids in options that are members or channels of the guild

  // Whether an id in an option is a member or a channel of the guild. True if the platform has sent nothing about it.
  bool is_of_guild(const std::string& named) const { return !has_resolved || resolved.contains(named); }

  // The shop of an interaction that an admin tries out. It decides instead of the guild, and is never read from a body.
  std::optional<TenantId> simulated_in{};

  std::string input(const std::string& key) const;  // empty if there is none
};

// A request body. It is parsed once, before its signature is checked, because the rate limit needs the sender.
struct ParsedInteraction {
  std::string sender;              // the member's id, not verified; empty if the body names none
  Interaction interaction;         // complete only if there is no failure
  std::optional<Failure> failure;  // Failure invalid: the body is not an interaction

  bool is_ping() const { return !failure && interaction.type == Interaction::Type::ping; }
};

ParsedInteraction parse_interaction(std::string_view body);

}  // namespace guildhall::chat
