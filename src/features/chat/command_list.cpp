#include "features/chat/command_list.h"

#include <algorithm>

#include "base/json_writer.h"

namespace guildhall::chat {
namespace {

// The platform offers admins' commands to members who may manage the server; our own grants decide who may run them.
constexpr std::string_view manage_guild_permission = "32";

const CommandGroup& all_groups() {
  static const CommandGroup all = [] {
    CommandGroup joined;
    for (const auto& make_group : command_groups) {
      const CommandGroup group = make_group();
      joined.commands.insert(joined.commands.end(), group.commands.begin(), group.commands.end());
      joined.steps.insert(joined.steps.end(), group.steps.begin(), group.steps.end());
    }
    return joined;
  }();
  return all;
}

void append_command(std::string& out, const Command& command) {
  json::ObjectWriter object(out);
  object.add("name", command.name);
  object.add("description", command.description);
  object.add("type", 1);
  {
    json::ArrayWriter options(object.key("options"));
    for (const CommandOption& option : command.options) {
      options.add(json::object({{"name", option.name},
                                {"description", option.description},
                                {"type", static_cast<int>(option.type)},
                                {"required", option.required}}));
    }
  }
  if (command.for_admins) object.add("default_member_permissions", manage_guild_permission);
}

}  // namespace

const std::vector<Command>& commands() {
  return all_groups().commands;
}

const Command* find_command(std::string_view name) {
  const auto found = std::ranges::find(commands(), name, &Command::name);
  return found == commands().end() ? nullptr : &*found;
}

RunStep find_step(std::string_view name) {
  const auto& steps = all_groups().steps;
  const auto found = std::ranges::find(steps, name, &StepHandler::name);
  return found == steps.end() ? nullptr : found->run;
}

std::string commands_json() {
  return json::write_array([](json::ArrayWriter& list) {
    for (const Command& command : commands()) append_command(list.next(), command);
  });
}

}  // namespace guildhall::chat
