#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "features/chat/bot.h"

// All commands of the bot and all steps of its components. A command that is not listed cannot be called. `/help` shows
// the list, and `guildhall chat register-commands` publishes it to the platform.
//
// To add a command, write its handler in one of the `*_commands.cpp` files and add it to the group that the file
// returns. A new file is added to `command_groups` below.
namespace guildhall::chat {

struct CommandOption {
  enum class Type { text = 3, boolean = 5, user = 6, channel = 7 };
  std::string_view name;
  Type type;
  std::string_view description;
  bool required = false;
};

using RunCommand = Task<Answer> (*)(const Bot&, const CommandContext&);
using RunStep = Task<Answer> (*)(const Bot&, const CommandContext&, const Step&);

struct Command {
  std::string_view name;
  std::string_view description;
  RunCommand run;
  std::vector<CommandOption> options{};
  bool for_admins = false;
  bool for_anybody = false;  // also runs when the platform has not named a member
};

// The handler of a component or a modal.
struct StepHandler {
  std::string_view name;  // as Step::name
  RunStep run;
};

// The commands and steps of one file.
struct CommandGroup {
  std::vector<Command> commands{};
  std::vector<StepHandler> steps{};
};

CommandGroup member_commands();
CommandGroup shop_commands();
CommandGroup checkout_commands();
CommandGroup order_commands();
CommandGroup fund_commands();
CommandGroup notify_commands();
CommandGroup membership_commands();
CommandGroup purchase_commands();

inline constexpr CommandGroup (*command_groups[])() = {member_commands,     shop_commands,    checkout_commands,
                                                       order_commands,      fund_commands,    notify_commands,
                                                       membership_commands, purchase_commands};

// The steps of a product's card that start a trial and a gift. Their argument is the product.
inline constexpr std::string_view trial_step = "try";
inline constexpr std::string_view gift_step = "gift";

const std::vector<Command>& commands();

const Command* find_command(std::string_view name);  // null if there is none
RunStep find_step(std::string_view name);            // null if there is none

// The request body that publishes all commands to the platform.
std::string commands_json();

}  // namespace guildhall::chat
