#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "features/chat/commands.h"
#include "features/chat/purchase.h"

// Every command and every step there is: an unlisted one cannot be called. The list of commands is also what is
// published to the platform and what `/help` shows.
namespace guildhall::chat {

struct CommandOption {
  enum class Type { text = 3, boolean = 5, user = 6, channel = 7 };
  std::string_view name;
  Type type;
  std::string_view description;
  bool required = false;
};

struct Command {
  std::string_view name;
  std::string_view description;
  Task<Answer> (*run)(const Bot&, const CommandContext&);
  std::vector<CommandOption> options{};
  bool for_admins = false;
  bool for_anybody = false;  // also when the platform does not say who the member is
};

const std::vector<Command>& commands();

using RunStep = Task<Answer> (*)(const Bot&, const CommandContext&, const Step&);

// Null for one that there is not.
RunStep run_of_step(std::string_view name);

// The body that publishes them all.
std::string commands_json();

}  // namespace guildhall::chat
