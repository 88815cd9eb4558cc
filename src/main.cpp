// The command line.
#include <CLI/CLI.hpp>
#include <iostream>
#include <signal.h>
#include <unistd.h>

#include "app/app.h"
#include "app/audit_command.h"
#include "app/chat_command.h"
#include "app/demo.h"
#include "app/doctor.h"
#include "app/transfer/transfer.h"
#include "base/encoding.h"
#include "features/fund/fund_verify.h"
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

void add_transfer_commands(CLI::App& cli) {
  static std::string tenant, format = "ndjson", folder, from, to;
  auto* out = cli.add_subcommand("export", "Write all of a tenant's records to files");
  out->add_option("--tenant", tenant, "The tenant's id")->required();
  out->add_option("--format", format, "ndjson (which import takes) or csv")->check(CLI::IsMember({"ndjson", "csv"}));
  out->add_option("--out", folder, "The folder to write to")->required();
  out->callback([] {
    export_tenant(configured().database_url, TenantId(tenant),
                  format == "csv" ? ExportFormat::csv : ExportFormat::ndjson, folder, std::cout);
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

// Exit code 1 when a ledger does not add up.
int verify_fund(const std::string& tenant) {
  const Config config = configured();
  const auto storage = open_storage({.url = config.database_url, .writer_connections_max = 1});
  migrate(*storage);
  return verify_funds(*storage, tenant.empty() ? std::nullopt : std::optional(TenantId(tenant)), std::cout) ? 0 : 1;
}

int run(int argc, char** argv) {
  CLI::App cli("Guildhall: a commerce back end for chat communities");
  cli.require_subcommand(1);
  cli.set_version_flag("--version", GUILDHALL_VERSION);
  int result = 0;
  bool markdown = false;
  std::string tenant;
  cli.add_subcommand("serve", "Serve the API (configured by environment variables)")->callback(serve);
  cli.add_subcommand("migrate", "Bring the database up to date and exit")->callback(migrate_only);
  auto* config = cli.add_subcommand("config", "Show the configuration, secrets masked");
  config->add_flag("--markdown", markdown, "As the README's table");
  config->callback([&] { std::cout << (markdown ? config_markdown() : config_listing(process_environment())); });
  cli.add_subcommand("doctor", "Check configuration, database, cache, disk and clock")->callback([&] {
    result = run_doctor(process_environment()) == 0 ? 0 : 1;
  });
  cli.add_subcommand("demo", "Fill an empty shop with a few customers and products to look at")->callback([] {
    fill_demo_shop(configured());
  });
  add_transfer_commands(cli);
  add_chat_commands(cli, result);
  auto* audit = cli.add_subcommand("audit", "The audit trail");
  audit->require_subcommand(1);
  auto* verify = audit->add_subcommand("verify", "Recompute the hash chains and tell whether they hold");
  verify->add_option("--tenant", tenant, "Only this tenant's chain");
  verify->callback([&] { result = verify_audit_trail(configured(), tenant) == 0 ? 0 : 1; });
  std::string fund_tenant;
  auto* fund = cli.add_subcommand("fund", "The community fund")->require_subcommand(1);
  auto* fund_verify = fund->add_subcommand("verify", "Recompute every ledger from its first entry on");
  fund_verify->add_option("--tenant", fund_tenant, "Only this tenant's");
  fund_verify->callback([&] { result = verify_fund(fund_tenant); });
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
