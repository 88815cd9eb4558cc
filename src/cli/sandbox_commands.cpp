#include "cli/sandbox_commands.h"

#include <filesystem>
#include <fmt/format.h>
#include <stdexcept>
#include <unistd.h>

namespace guildhall {
namespace {

constexpr std::size_t demo_orders_max = 200'000;

CLI::Option* with_default(CLI::Option* option, const char* type) {
  return option->type_name(type)->capture_default_str();
}

void add_demo(CLI::App& command, SandboxArguments& given) {
  command.add_option("--orders", given.demo_orders, "Add orders until the demo shop has this many")
      ->type_name("NUMBER")
      ->check(CLI::Range(std::size_t{1}, demo_orders_max));
}

void add_simulate(CLI::App& command, SandboxArguments& given) {
  with_default(command.add_option("--sandbox", given.sandbox, "The sandbox's address"), "URL");
  with_default(command.add_option("--member", given.member, "The member who buys"), "ID");
  with_default(command.add_option("--channel", given.channel, "The channel"), "ID");
}

void add_play(CLI::App& command, SandboxArguments& given) {
  with_default(command.add_option("--port", given.port, "Its port on 127.0.0.1"), "PORT");
  with_default(command.add_option("--mail-port", given.mail_port, "The port of its mailbox; 0: the one after its own"),
               "PORT");
  with_default(command.add_option("--server", given.server, "The public address of the server that uses it"), "URL");
  with_default(command.add_option("--tenant", given.tenant, "The tenant of events that name none"), "ID");
  with_default(command.add_option("--delay", given.delay_ms, "Milliseconds after which the parties answer, about"),
               "MS")
      ->check(CLI::Range(0, 60'000));
  command.add_flag("--print-env", given.print_env, "Only show the server's environment variables");
}

void add_trigger(CLI::App& command, SandboxArguments& given) {
  command.add_option("event", given.event, "For example gateway.pay")->type_name("EVENT");
  with_default(command.add_option("--sandbox", given.sandbox, "The sandbox's address"), "URL");
  command.add_flag("--list", given.list, "Show all events");
}

void add_listen(CLI::App& command, SandboxArguments& given) {
  with_default(command.add_option("--port", given.listening_port, "The port on 127.0.0.1 of the endpoint"), "PORT");
  command.add_option("--secret", given.secrets, "The endpoint's signing secret; several while one is being replaced")
      ->type_name("SECRET");
  command.add_option("--forward-to", given.forward_to, "Also send each webhook to this address")->type_name("URL");
}

}  // namespace

void add_sandbox_commands(CLI::App& cli, CLI::App& chat, const SandboxCommands& commands, int& result) {
  static SandboxArguments given;
  const auto add = [&result](CLI::App& to, const char* name, const char* description,
                             void (*options)(CLI::App&, SandboxArguments&), const SandboxCommands::Command& run) {
    CLI::App* command = to.add_subcommand(name, description);
    options(*command, given);
    command->callback([&result, run] { result = run(given); });
  };
  add(chat, "simulate", "Buy from the bot through a running sandbox, in the terminal", add_simulate, commands.simulate);
  add(cli, "demo", "Fill an empty shop with products, customers and orders to look at", add_demo, commands.demo);
  add(cli, "sandbox", "Play the chat platform, the processors and the other outside parties", add_play, commands.play);
  add(cli, "trigger", "Make a running sandbox send a signed event to its server", add_trigger, commands.trigger);
  add(cli, "listen", "Receive the server's webhooks, verify and print them", add_listen, commands.listen);
}

void start_sandbox_program(char** argv) {
  const std::filesystem::path own = std::filesystem::read_symlink("/proc/self/exe");
  const std::string program = own.parent_path() / "guildhall-sandbox";
  ::execv(program.c_str(), argv);
  throw std::runtime_error(
      fmt::format("This command needs the program {}, which cannot be started ({}). Install the package "
                  "guildhall-sandbox, or build it with `script/build`.",
                  program, std::generic_category().message(errno)));
}

}  // namespace guildhall
