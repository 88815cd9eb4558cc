#include <chrono>
#include <iostream>
#include <stdexcept>

#include "cli/command_line.h"
#include "cli/command_setup.h"
#include "cli/sandbox_commands.h"
#include "sandbox/commands.h"

namespace guildhall {
namespace {

int fill_demo(const SandboxArguments& given) {
  fill_demo_shop(configured(), given.demo_orders, std::cerr);
  return 0;
}

int simulate(const SandboxArguments& given) {
  return simulate_chat({given.sandbox, given.member, given.channel}, std::cout) ? 0 : 1;
}

int play(const SandboxArguments& given) {
  prepare_signals();
  sandbox::Options options = sandbox_options(process_environment());
  options.port = given.port;
  options.mail_port = given.mail_port != 0 ? given.mail_port : static_cast<std::uint16_t>(given.port + 1);
  options.server = given.server;
  options.tenant = given.tenant;
  options.delay = std::chrono::milliseconds(given.delay_ms);
  given.print_env ? print_sandbox_environment(options, std::cout) : run_sandbox(std::move(options), std::cout);
  return 0;
}

int trigger(const SandboxArguments& given) {
  if (given.list) {
    list_triggered_events(std::cout);
    return 0;
  }
  if (given.event.empty()) throw std::runtime_error("Name an event: see `guildhall trigger --list`.");
  return trigger_event(given.sandbox, given.event, std::cout) ? 0 : 1;
}

int listen(const SandboxArguments& given) {
  prepare_signals();
  listen_for_webhooks(given.listening_port, given.secrets, given.forward_to, std::cout);
  return 0;
}

int run_sandbox_command_line(int argc, char** argv) {
  CLI::App cli("The sandbox of Guildhall: for development, without any account");
  int result = 0;
  add_common_options(cli);
  CLI::App* chat = cli.add_subcommand("chat", "The chat bot")->require_subcommand(1);
  add_sandbox_commands(cli, *chat,
                       {.demo = fill_demo, .simulate = simulate, .play = play, .trigger = trigger, .listen = listen},
                       result);
  return run_described_command(cli, "guildhall-sandbox", argc, argv, result);
}

}  // namespace
}  // namespace guildhall

int main(int argc, char** argv) {
  try {
    return guildhall::run_sandbox_command_line(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << "guildhall: " << error.what() << "\n";
    return 1;
  }
}
