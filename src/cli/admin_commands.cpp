#include <iostream>
#include <optional>

#include "app/ops/commands.h"
#include "cli/command_groups.h"
#include "cli/command_setup.h"

namespace guildhall {

void add_admin_commands(CLI::App& cli) {
  static AdminAccount account;
  static std::optional<std::string> tenant;
  auto* admin = cli.add_subcommand("admin", "Create a user, set a password or end a lock without signing in")
                    ->require_subcommand(1);
  const auto add = [&](const char* name, const char* description) {
    auto* command = admin->add_subcommand(name, description);
    command->add_option("--username", account.username, "The user's name")->type_name("NAME")->required();
    command->add_option("--tenant", tenant, "The user's tenant; default DEFAULT_TENANT_ID")->type_name("ID");
    return command;
  };
  const auto given = [] {
    if (tenant) account.tenant = tenant_named(*tenant);
    return account;
  };
  const auto add_password = [&](CLI::App* command) {
    command->add_flag("--password-stdin", account.password_from_input,
                      "Read the password from standard input instead of generating one");
  };
  auto* create = add("create", "Create a user who administers a tenant");
  add_password(create);
  create->add_flag("--platform", account.platform, "Make the user an admin of the platform, too");
  create->callback([given] { create_admin(configured(), given(), std::cin, std::cout); });
  auto* password = add("password", "Set a user's password and end the user's sessions");
  add_password(password);
  password->callback([given] { set_admin_password(configured(), given(), std::cin, std::cout); });
  auto* unlock = add("unlock", "End the lock after wrong codes or passwords");
  unlock->add_option("--address", account.address, "Also forget wrong passwords from this client address")
      ->type_name("ADDRESS");
  unlock->add_flag("--remove-second-factor", account.remove_second_factor, "For a user who has lost it");
  unlock->callback([given] { unlock_admin(configured(), given(), std::cout); });
}

CLI::App& add_chat_command(CLI::App& cli) {
  static std::string guild;
  auto* chat = cli.add_subcommand("chat", "The chat bot")->require_subcommand(1);
  auto* publish = chat->add_subcommand("register-commands", "Publish the bot's commands to the chat platform");
  publish->add_option("--guild", guild, "Only in this chat server, where they appear at once")->type_name("ID");
  publish->callback([] {
    register_chat_commands(configured(), guild);
    std::cout << "published\n";
  });
  return *chat;
}

}  // namespace guildhall
