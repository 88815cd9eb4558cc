#include "cli/command_line.h"

#include <filesystem>
#include <fstream>
#include <iostream>
#include <signal.h>
#include <unistd.h>

#include "app/app.h"
#include "app/backup/backup.h"
#include "app/backup/backup_file.h"
#include "app/backup/s3.h"
#include "app/commands.h"
#include "app/progress.h"
#include "app/service_manager.h"
#include "app/starting_server.h"
#include "app/transfer/transfer.h"
#include "base/encoding.h"
#include "base/misspelt_variables.h"
#include "base/nearest_word.h"
#include "base/private_file.h"
#include "cli/command_docs.h"
#include "features/identity/setup_link.h"
#include "storage/migrations.h"

namespace guildhall {
namespace {

namespace fs = std::filesystem;

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
    partition(*storage, partitions);
    std::cout << "the large tables have " << partitions << " partitions\n";
  });
}

TenantId tenant_named(const std::string& text) {
  if (!is_tenant_id(text)) throw std::runtime_error(fmt::format("--tenant: '{}' is not a tenant's id.", text));
  return TenantId(text);
}

// The functions that end with _problem are for CLI11: they return what is wrong with a value, or an empty text.
std::string database_url_problem(const std::string& text) {
  const bool known =
      text.starts_with("sqlite:") || text.starts_with("postgresql://") || text.starts_with("postgres://");
  return known ? "" : "it must be sqlite:<path> or postgresql://…";
}

std::string source_problem(const std::string& url) {
  constexpr std::string_view prefix = "sqlite:";
  if (!url.starts_with(prefix) || fs::exists(url.substr(prefix.size()))) return database_url_problem(url);
  return fmt::format("there is no database file {}", url.substr(prefix.size()));
}

std::string export_folder_problem(const std::string& folder) {
  return fs::exists(fs::path(folder) / "manifest.json") ? "" : fmt::format("there is no manifest.json in {}", folder);
}

void add_transfer_commands(CLI::App& cli) {
  static std::string tenant, format = "ndjson", folder, from, to;
  auto* out = cli.add_subcommand("export", "Write all of a tenant's records to files");
  out->add_option("--tenant", tenant, "The tenant's id")->type_name("ID")->required();
  out->add_option("--format", format, "ndjson (which import takes) or csv")
      ->type_name("NAME")
      ->check(CLI::IsMember({"ndjson", "csv"}));
  out->add_option("--out", folder, "The folder to write to")->type_name("FOLDER")->required();
  out->callback([] {
    const Config config = configured();
    export_tenant(config.database_url, tenant_named(tenant), format == "csv" ? ExportFormat::csv : ExportFormat::ndjson,
                  folder, std::cout, config.media_dir);
  });
  auto* in = cli.add_subcommand("import", "Read a tenant that was exported as ndjson");
  in->add_option("--from", folder, "The folder that export has written")
      ->type_name("FOLDER")
      ->required()
      ->check(export_folder_problem);
  in->callback([] { import_tenant(configured().database_url, folder, std::cout); });
  auto* copy = cli.add_subcommand("copy", "Copy a whole installation to an empty database, and verify it");
  copy->add_option("--from", from, "sqlite:<path> or postgresql://…")
      ->type_name("URL")
      ->required()
      ->check(source_problem);
  copy->add_option("--to", to, "sqlite:<path> or postgresql://…")
      ->type_name("URL")
      ->required()
      ->check(database_url_problem);
  copy->callback([] { copy_installation(from, to, std::cout); });
}

void add_demo_command(CLI::App& cli) {
  static std::optional<std::size_t> orders;
  auto* demo = cli.add_subcommand("demo", "Fill an empty shop with products, customers and orders to look at");
  demo->add_option("--orders", orders, "Add orders until the demo shop has this many")
      ->type_name("NUMBER")
      ->check(CLI::Range(std::size_t{1}, demo_orders_max));
  demo->callback([] { fill_demo_shop(configured(), orders, std::cerr); });
}

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
  static std::uint16_t port = 8099, listening_port = 8098;
  static bool print_env = false, list = false;
  static std::int64_t delay_ms = 80;
  static std::string server = "http://127.0.0.1:8080", tenant = "default", sandbox = "http://127.0.0.1:8099", event,
                     forward_to;
  static std::vector<std::string> secrets;
  auto* play = cli.add_subcommand("sandbox", "Play the chat platform, the processors and the other outside parties");
  play->add_option("--port", port, "Its port on 127.0.0.1")->type_name("PORT")->capture_default_str();
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

void add_verify_commands(CLI::App& cli, int& result) {
  static std::optional<std::string> given;
  static const auto tenant = [] { return given ? std::optional(tenant_named(*given)) : std::nullopt; };
  auto* audit = cli.add_subcommand("audit", "The audit trail")->require_subcommand(1);
  auto* trail = audit->add_subcommand("verify", "Recompute the hash chains and report whether they hold");
  trail->add_option("--tenant", given, "Only this tenant's chain")->type_name("ID");
  static bool json = false;
  trail->add_flag("--json", json, "As JSON, one object for each tenant and line");
  trail->callback([&result] { result = verify_audit_trail(configured(), tenant(), json) ? 0 : 1; });
  auto* fund = cli.add_subcommand("fund", "The community fund")->require_subcommand(1);
  auto* ledgers = fund->add_subcommand("verify", "Recompute every ledger from its first entry on");
  ledgers->add_option("--tenant", given, "Only this tenant's ledger")->type_name("ID");
  ledgers->add_flag("--json", json, "As JSON, one object for each tenant and line");
  ledgers->callback([&result] { result = verify_fund_ledgers(configured(), tenant(), json) ? 0 : 1; });
  auto* reports = cli.add_subcommand("reports", "The reports")->require_subcommand(1);
  auto* rebuild =
      reports->add_subcommand("rebuild", "Recompute the totals of the reports, show and correct differences");
  rebuild->add_option("--tenant", given, "Only this tenant's reports")->type_name("ID");
  rebuild->add_flag("--json", json, "As JSON, one object for each tenant and line");
  rebuild->callback([&result] { result = rebuild_all_reports(configured(), tenant(), json) ? 0 : 1; });
}

void add_erase_command(CLI::App& cli, int& result) {
  static std::string tenant, confirmed, file;
  static std::optional<std::string> customer;
  auto* erase = cli.add_subcommand(
      "erase", "Erase all data of a tenant or of a customer for ever, and print a certificate as JSON");
  erase->add_option("--tenant", tenant, "The tenant's id")->type_name("ID")->required();
  erase->add_option("--customer", customer, "Erase only this customer of the tenant")->type_name("ID");
  erase->add_option("--confirm", confirmed, "The same id again")->type_name("ID")->required();
  erase->add_option("--out", file, "Also write the certificate to this new file")->type_name("FILE");
  erase->callback([&result] {
    if (customer.value_or(tenant) != confirmed) {
      throw std::runtime_error("--confirm: it is not the id of what is to be erased. Nothing is erased.");
    }
    const Config config = configured();
    std::optional<PrivateFile> out;
    if (!file.empty()) out.emplace(file);  // before anything is erased
    Erasure erasure;
    try {
      erasure = customer ? erase_customer(config, tenant_named(tenant), CustomerId(*customer))
                         : Erasure{erase_tenant(config, tenant_named(tenant)), true};
    } catch (...) {
      if (out) fs::remove(file);
      throw;
    }
    std::cout << erasure.certificate << "\n";
    if (out) out->write(erasure.certificate + "\n");
    if (out) out->finish();
    result = erasure.complete ? 0 : 1;
  });
}

std::string secret_key_in(const std::string& path) {
  if (path.empty()) return "";
  std::string key;
  if (std::ifstream(path) >> key) return key;
  throw std::runtime_error(fmt::format("--key: there is no key in {}.", path));
}

std::string s3_url_problem(const std::string& text) {
  if (!is_s3_url(text)) return "";
  try {
    parse_s3_url(text);
    return "";
  } catch (const std::invalid_argument& rule) {
    return fmt::format("it {}", rule.what());
  }
}

std::string backup_problem(const std::string& from) {
  if (is_s3_url(from) || fs::exists(from)) return s3_url_problem(from);
  return fmt::format("there is no file {}", from);
}

void print_backup(const Backup& backup, std::ostream& out) {
  out << fmt::format("{}: {:.1f} MiB{}\n", backup.file, static_cast<double>(backup.bytes) / (1 << 20),
                     backup.encrypted ? ", encrypted" : "");
  for (const std::string& file : backup.deleted) out << file << ": deleted\n";
}

void add_backup_commands(CLI::App& cli, int& result) {
  static std::string target, file, key;
  static std::optional<std::int64_t> keep;
  static bool json = false;
  auto* backup = cli.add_subcommand("backup", "Back up the whole database to a file, while the server runs");
  backup->add_option("--to", target, "A folder or s3://bucket/prefix; default BACKUP_TO")
      ->type_name("TARGET")
      ->check(s3_url_problem);
  backup->add_option("--keep", keep, "How many backups stay there; default BACKUP_KEEP")
      ->type_name("NUMBER")
      ->check(CLI::Range(1, 10'000));
  backup->callback([] {
    Config config = configured();
    if (keep) config.backup_keep = *keep;
    if (json) hide_progress();
    const Backup made = back_up(config, target.empty() ? config.backup_target : target);
    json ? void(std::cout << to_json(made) << "\n") : print_backup(made, std::cout);
    if (!config.media_dir.empty() && !json) {
      std::cout << "Pictures in MEDIA_DIR are not part of the backup: copy that folder as well.\n";
    }
  });
  backup->add_flag("--json", json, "As JSON, without progress");
  auto* restore = cli.add_subcommand("restore", "Restore a backup into an empty database, and verify it");
  restore->add_option("--from", file, "The file that backup has written, or s3://bucket/prefix for the newest there")
      ->type_name("FILE")
      ->required()
      ->check(backup_problem);
  restore->add_option("--key", key, "The file with the secret key, if the backup is encrypted")->type_name("FILE");
  restore->callback([&result] { result = restore_backup(configured(), file, secret_key_in(key), std::cout) ? 0 : 1; });
  auto* make = cli.add_subcommand("backup-key", "Make a key pair for encrypted backups, and print the public key");
  make->add_option("--out", key, "The new file for the secret key, which only restore needs")
      ->type_name("FILE")
      ->required();
  make->callback([] {
    const BackupKeys keys = make_backup_keys();
    PrivateFile secret(key);
    secret.write(keys.secret_key + "\n");
    secret.finish();
    std::cout << "BACKUP_PUBLIC_KEY=" << keys.public_key << "\n";
  });
}

void add_admin_commands(CLI::App& cli) {
  static AdminAccount account;
  static std::optional<std::string> tenant;
  auto* admin = cli.add_subcommand("admin", "Create a user, set a password or end a lock without signing in")
                    ->require_subcommand(1);
  const auto add = [&](const char* name, const char* description) {
    auto* command = admin->add_subcommand(name, description);
    command->add_option("--username", account.username, "The user's name")->type_name("NAME")->required();
    command->add_option("--tenant", tenant, "The user's tenant; default DEFAULT_TENANT_ID")->type_name("ID");
    return command;
  };
  const auto given = [] {
    if (tenant) account.tenant = tenant_named(*tenant);
    return account;
  };
  const auto add_password = [&](CLI::App* command) {
    command->add_flag("--password-stdin", account.password_from_input,
                      "Read the password from standard input instead of generating one");
  };
  auto* create = add("create", "Create a user who administers a tenant");
  add_password(create);
  create->add_flag("--platform", account.platform, "Make the user an admin of the platform, too");
  create->callback([given] { create_admin(configured(), given(), std::cin, std::cout); });
  auto* password = add("password", "Set a user's password and end the user's sessions");
  add_password(password);
  password->callback([given] { set_admin_password(configured(), given(), std::cin, std::cout); });
  auto* unlock = add("unlock", "End the lock after wrong codes or passwords");
  unlock->add_option("--address", account.address, "Also forget wrong passwords from this client address")
      ->type_name("ADDRESS");
  unlock->add_flag("--remove-second-factor", account.remove_second_factor, "For a user who has lost it");
  unlock->callback([given] { unlock_admin(configured(), given(), std::cout); });
}

void add_check_commands(CLI::App& cli, int& result) {
  static bool markdown = false, json = false, online = false;
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

void add_rekey_command(CLI::App& cli, int& result) {
  static bool json = false;
  auto* rekey = cli.add_subcommand("rekey", "Seal all stored secrets again with the first key of SERVICE_MASTER_KEY");
  rekey->add_flag("--json", json, "As JSON");
  rekey->callback([&result] { result = rekey_secrets(configured(), std::cout, json) ? 0 : 1; });
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

void add_docs_commands(CLI::App& cli) {
  cli.add_subcommand("completion", "Print the completion of commands and options for bash")->callback([&cli] {
    std::cout << bash_completion(cli);
  });
  static bool markdown = false;
  auto* manual = cli.add_subcommand("manual", "Print this manual in the format of man");
  manual->add_flag("--markdown", markdown, "Only the table of commands, as in docs/commands.md");
  manual->callback([&cli] { std::cout << (markdown ? commands_markdown(cli) : man_page(cli)); });
}

}  // namespace

void describe_commands(CLI::App& cli, int& result) {
  cli.require_subcommand(1);
  cli.set_version_flag("--version", GUILDHALL_VERSION);
  cli.add_subcommand("serve", "Serve the API (configured by environment variables)")->callback(serve);
  add_migrate_command(cli);
  add_demo_command(cli);
  add_rekey_command(cli, result);
  add_check_commands(cli, result);
  add_transfer_commands(cli);
  add_chat_commands(cli, result);
  add_sandbox_commands(cli, result);
  add_verify_commands(cli, result);
  add_erase_command(cli, result);
  add_backup_commands(cli, result);
  add_admin_commands(cli);
  add_docs_commands(cli);
}

int run_command_line(int argc, char** argv) {
  CLI::App cli("Guildhall: a commerce back end for chat communities");
  int result = 0;
  describe_commands(cli, result);
  try {
    cli.parse(argc, argv);
  } catch (const CLI::Success& asked) {
    return cli.exit(asked);  // --help and --version
  } catch (const CLI::ParseError& error) {
    const std::string wrong = wrong_command(cli, argc, argv);
    std::cerr << "guildhall: " << (wrong.empty() ? error.what() : wrong) << "\nRun it with --help for more.\n";
    return 1;
  }
  return result;
}

}  // namespace guildhall
