#pragma once

#include <set>

#include "sandbox/chat_platform.h"
#include "support/test_sandbox.h"

namespace guildhall::test {

// The sandbox with a guild 900 that has the roles 41 and 42, and what the server has done to its members.
class GuildMembers : public TestSandbox {
 public:
  GuildMembers() : TestSandbox("900") {
    add_role("41");
    add_role("42");
  }

  std::set<std::string> members_with(const std::string& role) const {
    return run([&](sandbox::World& world) {
      std::set<std::string> found;
      for (const sandbox::Member& member : world.chat->guild.members) {
        if (std::ranges::count(member.roles, role) > 0) found.insert(member.id);
      }
      return found;
    });
  }

  // The direct messages to a member, each with its buttons.
  std::vector<std::string> messages_to(const std::string& member) const {
    return run([&](sandbox::World& world) {
      std::vector<std::string> found;
      for (const sandbox::Message& message : world.chat->guild.direct_channel(member).messages) {
        found.push_back(message.content + message.components);
      }
      return found;
    });
  }

  // How often a role was taken from a member, as far as the log of calls goes back.
  std::ptrdiff_t removals() const {
    return std::ranges::count(calls("chat", "/guilds/*/members/*/roles/*"), "DELETE", &sandbox::Call::method);
  }
};

}  // namespace guildhall::test
