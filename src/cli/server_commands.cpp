#include <iostream>
#include <optional>

#include "app/app.h"
#include "app/ops/commands.h"
#include "app/service_manager.h"
#include "app/slices.h"
#include "app/starting_server.h"
#include "base/misspelt_variables.h"
#include "cli/command_groups.h"
#include "cli/command_setup.h"
#include "features/identity/setup_link.h"
#include "storage/migrations.h"

namespace guildhall {
namespace {

// The link is printed, not logged: logs are kept and passed on, and must not contain a secret.
void print_setup_link(App& app, const Config& config) {
  const auto link =
      make_setup_link(app.storage(),
                      {.home_tenant = config.default_tenant,
                       .passwords = config.local_auth_enabled,
                       .admin_configured = config.local_auth_enabled && !config.local_admin_password.empty(),
                       .public_base_url = config.public_base_url},
                      now());
  if (!link) return;
  std::cout << "\nThis installation has no owner yet. Open this address to become its owner. It works once, for "
            << setup_link_lasts.count() << " hours:\n\n  " << *link << "\n"
            << std::endl;
}

void serve() {
  prepare_signals();
  const Config config = configured();
  const auto app = start_when_database_answers(config, inherited_socket());
  if (!app) return;
  print_setup_link(*app, config);
  app->run();
}

void add_migrate_command(CLI::App& cli) {
  static bool plan = false, json = false;
  static int partitions = 0;
  auto* command = cli.add_subcommand("migrate", "Bring the database up to date and exit");
  auto* planned = command->add_flag("--plan", plan, "Only show what would be done");
  command->add_flag("--json", json, "The plan as JSON")->needs(planned);
  command->add_option("--partitions", partitions, "PostgreSQL, new database: divide the large tables by tenant")
      ->type_name("NUMBER")
      ->check(CLI::Range(2, 256))
      ->excludes(planned);
  command->callback([] {
    const Config config = configured();
    if (plan) return show_migration_plan(config, json, std::cout);
    const auto storage = open_storage({.url = config.database_url});
    std::cout << migrate(*storage) << " migrations applied\n";
    if (partitions == 0) return;
    partition(*storage, growing_tables(), partitions);
    std::cout << "the large tables have " << partitions << " partitions\n";
  });
}

void add_rekey_command(CLI::App& cli, int& result) {
  static bool json = false;
  auto* rekey = cli.add_subcommand("rekey", "Seal all stored secrets again with the first key of SERVICE_MASTER_KEY");
  rekey->add_flag("--json", json, "As JSON");
  rekey->callback([&result] { result = rekey_secrets(configured(), std::cout, json) ? 0 : 1; });
}

void add_check_commands(CLI::App& cli, int& result) {
  static bool markdown = false, json = false, online = false;
  auto* config =
      cli.add_subcommand("config", "Show the configuration, secrets masked; exit code 1 if a value is wrong");
  config->add_flag("--markdown", markdown, "The page docs/configuration.md: every variable, its default and meaning");
  config->add_flag("--json", json, "As JSON");
  config->callback([&result] {
    if (markdown) {
      std::cout << config_markdown(config_variables());
    } else {
      result = show_config(process_environment(), process_variable_names(), json, std::cout) ? 0 : 1;
    }
  });
  auto* doctor = cli.add_subcommand(
      "doctor",
      "Check configuration, database, cache, disk, clock and backups; changes nothing; exit code 1 for a problem");
  doctor->add_flag("--json", json, "As JSON");
  doctor->add_flag("--online", online, "Also call the mail server, the chat platform and the payment processors");
  doctor->callback([&result] {
    const Findings findings = run_doctor(process_environment(), process_variable_names(), online);
    if (json) {
      std::cout << to_json(findings.report()) << "\n";
    } else {
      findings.print(std::cout);
    }
    result = findings.has_problem() ? 1 : 0;
  });
}

}  // namespace

void add_server_commands(CLI::App& cli, int& result) {
  cli.add_subcommand("serve", "Serve the API (configured by environment variables)")->callback(serve);
  add_migrate_command(cli);
  add_rekey_command(cli, result);
  add_check_commands(cli, result);
}

}  // namespace guildhall
