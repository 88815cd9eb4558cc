// The command line.
#include <CLI/CLI.hpp>
#include <iostream>
#include <signal.h>
#include <unistd.h>

#include "app/app.h"
#include "app/commands.h"
#include "app/transfer/transfer.h"
#include "base/encoding.h"
#include "base/misspelt_variables.h"
#include "base/nearest_word.h"
#include "features/identity/setup_link.h"
#include "features/media/picture_worker.h"
#include "storage/migrations.h"

namespace guildhall {
namespace {

// Must run before any thread is created. Only the main thread waits for the signals that stop the server, and a client
// that closes its connection must not end the process.
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
  App app(config);
  print_setup_link(app, config);
  app.run();
}

void migrate_only() {
  const Config config = configured();
  const auto storage = open_storage({.url = config.database_url});
  std::cout << migrate(*storage) << " migrations applied\n";
}

TenantId tenant_named(const std::string& text) {
  if (!is_tenant_id(text)) throw std::runtime_error(fmt::format("--tenant: '{}' is not a tenant's id.", text));
  return TenantId(text);
}

void add_transfer_commands(CLI::App& cli) {
  static std::string tenant, format = "ndjson", folder, from, to;
  auto* out = cli.add_subcommand("export", "Write all of a tenant's records to files");
  out->add_option("--tenant", tenant, "The tenant's id")->required();
  out->add_option("--format", format, "ndjson (which import takes) or csv")->check(CLI::IsMember({"ndjson", "csv"}));
  out->add_option("--out", folder, "The folder to write to")->required();
  out->callback([] {
    const Config config = configured();
    export_tenant(config.database_url, tenant_named(tenant), format == "csv" ? ExportFormat::csv : ExportFormat::ndjson,
                  folder, std::cout, config.media_dir);
  });
  auto* in = cli.add_subcommand("import", "Read a tenant that was exported as ndjson");
  in->add_option("--from", folder, "The folder that export has written")->required();
  in->callback([] { import_tenant(configured().database_url, folder, std::cout); });
  auto* copy = cli.add_subcommand("copy", "Copy a whole installation to an empty database, and verify it");
  copy->add_option("--from", from, "sqlite:<path> or postgresql://…")->required();
  copy->add_option("--to", to, "sqlite:<path> or postgresql://…")->required();
  copy->callback([] { copy_installation(from, to, std::cout); });
}

void add_chat_commands(CLI::App& cli, int& result) {
  static std::string guild;
  static ChatSimulation simulation{"http://127.0.0.1:8080", std::string(demo_guild), "200000000000000009"};
  auto* chat = cli.add_subcommand("chat", "The chat bot")->require_subcommand(1);
  auto* publish = chat->add_subcommand("register-commands", "Publish the bot's commands to the chat platform");
  publish->add_option("--guild", guild, "Only in this chat server, where they appear at once");
  publish->callback([] {
    register_chat_commands(configured(), guild);
    std::cout << "published\n";
  });
  chat->add_subcommand("development-key", "Show the public half of the key that `simulate` signs with")->callback([] {
    std::cout << hex(development_chat_key(configured()).public_key_bytes) << "\n";
  });
  auto* simulate = chat->add_subcommand("simulate", "Play a purchase against a running server, without any platform");
  simulate->add_option("--url", simulation.url, "The server's address")->capture_default_str();
  simulate->add_option("--guild", simulation.guild, "The chat server whose shop is visited")->capture_default_str();
  simulate->add_option("--user", simulation.user, "The chat user who visits")->capture_default_str();
  simulate->callback(
      [&result] { result = simulate_chat(development_chat_key(configured()), simulation, std::cout) ? 0 : 1; });
}

void add_verify_commands(CLI::App& cli, int& result) {
  static std::optional<std::string> given;
  static const auto tenant = [] { return given ? std::optional(tenant_named(*given)) : std::nullopt; };
  auto* audit = cli.add_subcommand("audit", "The audit trail")->require_subcommand(1);
  auto* trail = audit->add_subcommand("verify", "Recompute the hash chains and report whether they hold");
  trail->add_option("--tenant", given, "Only this tenant's chain");
  trail->callback([&result] { result = verify_audit_trail(configured(), tenant()) ? 0 : 1; });
  auto* fund = cli.add_subcommand("fund", "The community fund")->require_subcommand(1);
  auto* ledgers = fund->add_subcommand("verify", "Recompute every ledger from its first entry on");
  ledgers->add_option("--tenant", given, "Only this tenant's ledger");
  ledgers->callback([&result] { result = verify_fund_ledgers(configured(), tenant()) ? 0 : 1; });
  auto* reports = cli.add_subcommand("reports", "The reports")->require_subcommand(1);
  auto* rebuild =
      reports->add_subcommand("rebuild", "Recompute the totals of the reports, show and correct differences");
  rebuild->add_option("--tenant", given, "Only this tenant's reports");
  rebuild->callback([&result] { result = rebuild_all_reports(configured(), tenant()) ? 0 : 1; });
}

void add_check_commands(CLI::App& cli, int& result) {
  static bool markdown = false, json = false;
  auto* config =
      cli.add_subcommand("config", "Show the configuration, secrets masked; exit code 1 if a value is wrong");
  config->add_flag("--markdown", markdown, "The README's table: every variable, its default and meaning");
  config->add_flag("--json", json, "As JSON");
  config->callback([&result] {
    if (markdown) {
      std::cout << config_markdown(config_variables());
    } else {
      result = show_config(process_environment(), process_variable_names(), json, std::cout) ? 0 : 1;
    }
  });
  auto* doctor = cli.add_subcommand(
      "doctor", "Check configuration, database, cache, disk and clock; changes nothing; exit code 1 for a problem");
  doctor->add_flag("--json", json, "As JSON");
  doctor->callback([&result] {
    const Findings findings = run_doctor(process_environment(), process_variable_names());
    json ? findings.print_json(std::cout) : findings.print(std::cout);
    result = findings.has_problem() ? 1 : 0;
  });
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

// A sentence about the first unknown argument, with the known one that was probably meant; empty when all are known.
std::string unknown_argument(const CLI::App& cli, int argc, char** argv) {
  const CLI::App* command = &cli;
  for (int i = 1; i < argc; ++i) {
    const std::string_view given(argv[i]);
    const std::string_view argument = given.substr(0, given.find('='));
    const bool is_option = argument.starts_with("--");
    const std::vector<std::string> names = names_below(*command, is_option);
    if (std::find(names.begin(), names.end(), argument) == names.end()) {
      if (names.empty()) return "";
      const auto nearest = nearest_word(argument, std::vector<std::string_view>(names.begin(), names.end()));
      return fmt::format("there is no {} {}{}", is_option ? "option" : "command", argument,
                         nearest ? fmt::format("; did you mean {}?", *nearest) : "");
    }
    if (is_option) {
      return "";  // the next argument is its value, which CLI11 checks
    } else {
      command = command->get_subcommand(std::string(argument));
    }
  }
  return "";
}

int run(int argc, char** argv) {
  CLI::App cli("Guildhall: a commerce back end for chat communities");
  cli.require_subcommand(1);
  cli.set_version_flag("--version", GUILDHALL_VERSION);
  int result = 0;
  cli.add_subcommand("serve", "Serve the API (configured by environment variables)")->callback(serve);
  cli.add_subcommand("migrate", "Bring the database up to date and exit")->callback(migrate_only);
  cli.add_subcommand("demo", "Fill an empty shop with a few customers and products to look at")->callback([] {
    fill_demo_shop(configured());
  });
  add_check_commands(cli, result);
  add_transfer_commands(cli);
  add_chat_commands(cli, result);
  add_verify_commands(cli, result);
  try {
    cli.parse(argc, argv);
  } catch (const CLI::Success& asked) {
    return cli.exit(asked);  // --help and --version
  } catch (const CLI::ParseError& error) {
    const std::string unknown = unknown_argument(cli, argc, argv);
    std::cerr << "guildhall: " << (unknown.empty() ? error.what() : unknown) << "\nRun it with --help for more.\n";
    return 1;
  }
  return result;
}

}  // namespace
}  // namespace guildhall

int main(int argc, char** argv) {
  // Before anything else: this process reads a picture that may be hostile.
  if (argc > 1 && argv[1] == guildhall::picture_worker_command) return guildhall::run_picture_worker(argc, argv);
  try {
    return guildhall::run(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << "guildhall: " << error.what() << "\n";
    return 1;
  }
}
