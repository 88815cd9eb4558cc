#include "cli/command_line.h"

#include <algorithm>
#include <fmt/format.h>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "base/environment_file.h"
#include "base/nearest_word.h"
#include "cli/command_docs.h"
#include "cli/command_groups.h"
#include "cli/sandbox_commands.h"

namespace guildhall {
namespace {

void add_docs_commands(CLI::App& cli) {
  cli.add_subcommand("completion", "Print the completion of commands and options for bash")->callback([&cli] {
    std::cout << bash_completion(cli);
  });
  static bool markdown = false;
  auto* manual = cli.add_subcommand("manual", "Print this manual in the format of man");
  manual->add_flag("--markdown", markdown, "Only the table of commands, as in docs/commands.md");
  manual->callback([&cli] { std::cout << (markdown ? commands_markdown(cli) : man_page(cli)); });
}

// The names of a command's options, or of the commands below it.
std::vector<std::string> names_below(const CLI::App& command, bool options) {
  std::vector<std::string> names;
  if (options) {
    for (const CLI::Option* option : command.get_options()) names.push_back(option->get_name());
  } else {
    for (const CLI::App* sub : command.get_subcommands({})) names.push_back(sub->get_name());
  }
  return names;
}

// A sentence about the first unknown argument, with the known one that was probably meant, or about a command that is
// missing; empty when there is nothing of that kind.
std::string wrong_command(const CLI::App& cli, int argc, char** argv) {
  const CLI::App* command = &cli;
  for (int i = 1; i < argc; ++i) {
    const std::string_view given(argv[i]);
    const std::string_view argument = given.substr(0, given.find('='));
    const bool is_option = argument.starts_with("-");
    const std::vector<std::string> names = names_below(*command, is_option);
    if (std::find(names.begin(), names.end(), argument) == names.end()) {
      if (names.empty()) return "";
      const auto nearest = nearest_word(argument, std::vector<std::string_view>(names.begin(), names.end()));
      return fmt::format("there is no {} {}{}", is_option ? "option" : "command", argument,
                         nearest ? fmt::format("; did you mean {}?", *nearest) : "");
    }
    if (!is_option) {
      command = command->get_subcommand(std::string(argument));
    } else if (argument == given && command->get_option(std::string(argument))->get_items_expected_max() > 0) {
      ++i;  // its value, which CLI11 checks
    }
  }
  const std::vector<std::string> below = names_below(*command, false);
  if (below.empty()) return "";
  return fmt::format("name a command{}: {}", command == &cli ? "" : " of " + command->get_name(),
                     fmt::join(below, ", "));
}

}  // namespace

void add_common_options(CLI::App& cli) {
  cli.require_subcommand(1);
  cli.set_version_flag("--version", GUILDHALL_VERSION);
  cli.add_option_function<std::string>("--env-file", load_environment_file,
                                       "Read variables from this file first, as systemd's EnvironmentFile= does")
      ->type_name("FILE");
}

int run_described_command(CLI::App& cli, const char* program, int argc, char** argv, const int& result) {
  try {
    cli.parse(argc, argv);
  } catch (const CLI::Success& asked) {
    return cli.exit(asked);  // --help and --version
  } catch (const CLI::ParseError& error) {
    const std::string wrong = wrong_command(cli, argc, argv);
    std::cerr << program << ": " << (wrong.empty() ? error.what() : wrong) << "\nRun it with --help for more.\n";
    return 1;
  }
  return result;
}

int run_command_line(int argc, char** argv) {
  CLI::App cli("Guildhall: a commerce back end for chat communities");
  int result = 0;
  add_common_options(cli);
  add_server_commands(cli, result);
  add_transfer_commands(cli);
  CLI::App& chat = add_chat_command(cli);
  const SandboxCommands::Command start = [argv](const SandboxArguments&) -> int { start_sandbox_program(argv); };
  add_sandbox_commands(cli, chat, {start, start, start, start, start}, result);
  add_verify_commands(cli, result);
  add_erase_command(cli, result);
  add_backup_commands(cli, result);
  add_admin_commands(cli);
  add_docs_commands(cli);
  return run_described_command(cli, "guildhall", argc, argv, result);
}

}  // namespace guildhall
