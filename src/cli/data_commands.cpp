#include <filesystem>
#include <fmt/format.h>
#include <iostream>
#include <optional>
#include <stdexcept>

#include "app/ops/commands.h"
#include "app/ops/transfer/transfer.h"
#include "base/private_file.h"
#include "cli/command_groups.h"
#include "cli/command_setup.h"
#include "storage/storage.h"

namespace guildhall {
namespace {

namespace fs = std::filesystem;

// The functions that end with _problem are for CLI11: they return what is wrong with a value, or an empty text.
std::string database_url_problem(const std::string& text) {
  const bool known =
      text.starts_with(sqlite_prefix) || text.starts_with("postgresql://") || text.starts_with("postgres://");
  return known ? "" : "it must be sqlite:<path> or postgresql://…";
}

std::string source_problem(const std::string& url) {
  if (!url.starts_with(sqlite_prefix) || fs::exists(url.substr(sqlite_prefix.size()))) return database_url_problem(url);
  return fmt::format("there is no database file {}", url.substr(sqlite_prefix.size()));
}

std::string export_folder_problem(const std::string& folder) {
  return fs::exists(fs::path(folder) / "manifest.json") ? "" : fmt::format("there is no manifest.json in {}", folder);
}

}  // namespace

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
  static ImportOptions options;
  in->add_option("--chat-server", options.chat_servers,
                 "A chat server of the export that may be bound; may be repeated")
      ->type_name("ID");
  in->add_flag("--dry-run", options.dry_run, "Only check the export: list what would be refused, and write nothing");
  in->callback([] {
    const Config config = configured();
    options.development = config.development;
    import_tenant(config.database_url, folder, std::cout, options);
  });
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

}  // namespace guildhall
