// The command line.
#include <CLI/CLI.hpp>
#include <iostream>
#include <signal.h>
#include <unistd.h>

#include "app/app.h"
#include "app/demo.h"
#include "app/doctor.h"
#include "storage/migrations.h"

namespace guildhall {
namespace {

// Before any thread is made: the signals that stop the server are waited for by the main thread alone, and a client
// that hangs up is no reason to die.
void prepare_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  ::signal(SIGPIPE, SIG_IGN);
}

Config configured() {
  Config config = read_config(process_environment());
  log::configure(config.log_level, !config.development && ::isatty(STDERR_FILENO) == 0);
  return config;
}

void serve() {
  prepare_signals();
  App app(configured());
  app.run();
}

void migrate_only() {
  const Config config = configured();
  const auto storage = open_storage({.url = config.database_url});
  std::cout << migrate(*storage) << " migrations applied\n";
}

int run(int argc, char** argv) {
  CLI::App cli("Guildhall: a commerce back end for chat communities");
  cli.require_subcommand(1);
  cli.set_version_flag("--version", GUILDHALL_VERSION);
  int result = 0;
  bool markdown = false;
  cli.add_subcommand("serve", "Serve the API (configured by environment variables)")->callback(serve);
  cli.add_subcommand("migrate", "Bring the database up to date and exit")->callback(migrate_only);
  auto* config = cli.add_subcommand("config", "Show the configuration, secrets masked");
  config->add_flag("--markdown", markdown, "As the README's table");
  config->callback([&] { std::cout << (markdown ? config_markdown() : config_listing(process_environment())); });
  cli.add_subcommand("doctor", "Check configuration, database, cache, disk and clock")->callback([&] {
    result = run_doctor(process_environment()) == 0 ? 0 : 1;
  });
  cli.add_subcommand("demo", "Fill an empty shop with a few customers to look at")->callback([] {
    fill_demo_shop(configured());
  });
  CLI11_PARSE(cli, argc, argv);
  return result;
}

}  // namespace
}  // namespace guildhall

int main(int argc, char** argv) {
  try {
    return guildhall::run(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << "guildhall: " << error.what() << "\n";
    return 1;
  }
}
