#pragma once

#include <CLI/CLI.hpp>

// The commands in groups; those of the sandbox are in cli/sandbox_commands.h. Each function adds the commands of its
// group with their options. A command throws if it cannot do its work. One that may also find a problem stores its exit
// code in `result`, which must outlive the parse. The values of the options are static, so a process parses only one
// command line.
namespace guildhall {

// serve, migrate, rekey, config and doctor.
void add_server_commands(CLI::App& cli, int& result);

// export, import and copy.
void add_transfer_commands(CLI::App& cli);

// chat register-commands. Returns the command chat.
CLI::App& add_chat_command(CLI::App& cli);

// audit verify, fund verify and reports rebuild.
void add_verify_commands(CLI::App& cli, int& result);

// erase.
void add_erase_command(CLI::App& cli, int& result);

// backup, restore and backup-key.
void add_backup_commands(CLI::App& cli, int& result);

// admin create, admin password and admin unlock.
void add_admin_commands(CLI::App& cli);

}  // namespace guildhall
