#include <chrono>
#include <iostream>
#include <stdexcept>
#include <vector>

#include "app/ops/commands.h"
#include "cli/command_groups.h"
#include "cli/command_setup.h"

namespace guildhall {

void add_chat_commands(CLI::App& cli, int& result) {
  static std::string guild;
  static ChatSimulation simulation{"http://127.0.0.1:8099", "200000000000000002", "400000000000000001"};
  auto* chat = cli.add_subcommand("chat", "The chat bot")->require_subcommand(1);
  auto* publish = chat->add_subcommand("register-commands", "Publish the bot's commands to the chat platform");
  publish->add_option("--guild", guild, "Only in this chat server, where they appear at once")->type_name("ID");
  publish->callback([] {
    register_chat_commands(configured(), guild);
    std::cout << "published\n";
  });
  auto* simulate = chat->add_subcommand("simulate", "Buy from the bot through a running sandbox, in the terminal");
  simulate->add_option("--sandbox", simulation.sandbox, "The sandbox's address")
      ->type_name("URL")
      ->capture_default_str();
  simulate->add_option("--member", simulation.member, "The member who buys")->type_name("ID")->capture_default_str();
  simulate->add_option("--channel", simulation.channel, "The channel")->type_name("ID")->capture_default_str();
  simulate->callback([&result] { result = simulate_chat(simulation, std::cout) ? 0 : 1; });
}

void add_sandbox_commands(CLI::App& cli, int& result) {
  static std::uint16_t port = 8099, mail_port = 0, listening_port = 8098;
  static bool print_env = false, list = false;
  static std::int64_t delay_ms = 80;
  static std::string server = "http://127.0.0.1:8080", tenant = "default", sandbox = "http://127.0.0.1:8099", event,
                     forward_to;
  static std::vector<std::string> secrets;
  auto* play = cli.add_subcommand("sandbox", "Play the chat platform, the processors and the other outside parties");
  play->add_option("--port", port, "Its port on 127.0.0.1")->type_name("PORT")->capture_default_str();
  play->add_option("--mail-port", mail_port, "The port of its mailbox; 0: the one after its own")
      ->type_name("PORT")
      ->capture_default_str();
  play->add_option("--server", server, "The public address of the server that uses it")
      ->type_name("URL")
      ->capture_default_str();
  play->add_option("--tenant", tenant, "The tenant of events that name none")->type_name("ID")->capture_default_str();
  play->add_option("--delay", delay_ms, "Milliseconds after which the parties answer, about")
      ->type_name("MS")
      ->check(CLI::Range(0, 60'000))
      ->capture_default_str();
  play->add_flag("--print-env", print_env, "Only show the server's environment variables");
  play->callback([] {
    prepare_signals();
    sandbox::Options options = sandbox_options(process_environment());
    options.port = port;
    options.mail_port = mail_port != 0 ? mail_port : static_cast<std::uint16_t>(port + 1);
    options.server = server;
    options.tenant = tenant;
    options.delay = std::chrono::milliseconds(delay_ms);
    print_env ? print_sandbox_environment(options, std::cout) : run_sandbox(std::move(options), std::cout);
  });
  auto* trigger = cli.add_subcommand("trigger", "Make a running sandbox send a signed event to its server");
  trigger->add_option("event", event, "For example gateway.pay")->type_name("EVENT");
  trigger->add_option("--sandbox", sandbox, "The sandbox's address")->type_name("URL")->capture_default_str();
  trigger->add_flag("--list", list, "Show all events");
  trigger->callback([&result] {
    if (list) return list_triggered_events(std::cout);
    if (event.empty()) throw std::runtime_error("Name an event: see `guildhall trigger --list`.");
    result = trigger_event(sandbox, event, std::cout) ? 0 : 1;
  });
  auto* listen = cli.add_subcommand("listen", "Receive the server's webhooks, verify and print them");
  listen->add_option("--port", listening_port, "The port on 127.0.0.1 of the endpoint")
      ->type_name("PORT")
      ->capture_default_str();
  listen->add_option("--secret", secrets, "The endpoint's signing secret; several while one is being replaced")
      ->type_name("SECRET");
  listen->add_option("--forward-to", forward_to, "Also send each webhook to this address")->type_name("URL");
  listen->callback([] {
    prepare_signals();
    listen_for_webhooks(listening_port, secrets, forward_to, std::cout);
  });
}

}  // namespace guildhall
