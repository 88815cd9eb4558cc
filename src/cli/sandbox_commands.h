#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

// The commands of the sandbox. Two programs have them: guildhall-sandbox runs them, and guildhall starts that program.
namespace guildhall {

// The values of the commands' options.
struct SandboxArguments {
  std::uint16_t port = 8099;
  std::uint16_t mail_port = 0;  // 0: the one after `port`
  std::uint16_t listening_port = 8098;
  std::int64_t delay_ms = 80;
  bool print_env = false;
  bool list = false;
  std::string server = "http://127.0.0.1:8080";
  std::string tenant = "default";
  std::string sandbox = "http://127.0.0.1:8099";
  std::string member = "200000000000000002";
  std::string channel = "400000000000000001";
  std::string event;
  std::vector<std::string> secrets;
  std::string forward_to;
  std::optional<std::size_t> demo_orders;
};

// Each returns the exit code.
struct SandboxCommands {
  using Command = std::function<int(const SandboxArguments&)>;
  Command demo, simulate, play, trigger, listen;
};

// Adds demo, sandbox, trigger and listen, and simulate to `chat`.
void add_sandbox_commands(CLI::App& cli, CLI::App& chat, const SandboxCommands& commands, int& result);

// Replaces this process by guildhall-sandbox, which stands beside this program, with the same arguments. Throws
// std::runtime_error with a sentence for the operator if it is not there.
[[noreturn]] void start_sandbox_program(char** argv);

}  // namespace guildhall
