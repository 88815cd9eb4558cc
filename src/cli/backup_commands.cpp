#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iostream>
#include <optional>
#include <stdexcept>

#include "app/ops/backup/backup.h"
#include "app/ops/backup/backup_file.h"
#include "app/ops/backup/s3.h"
#include "app/ops/progress.h"
#include "base/private_file.h"
#include "cli/command_groups.h"
#include "cli/command_setup.h"

namespace guildhall {
namespace {

std::string secret_key_in(const std::string& path) {
  if (path.empty()) return "";
  std::string key;
  if (std::ifstream(path) >> key) return key;
  throw std::runtime_error(fmt::format("--key: there is no key in {}.", path));
}

// The functions that end with _problem are for CLI11: they return what is wrong with a value, or an empty text.
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
  if (is_s3_url(from) || std::filesystem::exists(from)) return s3_url_problem(from);
  return fmt::format("there is no file {}", from);
}

void print_backup(const Backup& backup, std::ostream& out) {
  out << fmt::format("{}: {:.1f} MiB{}\n", backup.file, static_cast<double>(backup.bytes) / (1 << 20),
                     backup.encrypted ? ", encrypted" : "");
  for (const std::string& file : backup.deleted) out << file << ": deleted\n";
}

}  // namespace

void add_backup_commands(CLI::App& cli, int& result) {
  static std::string target, file, key;
  static std::optional<std::int64_t> keep;
  static bool json = false, unencrypted = false;
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
  auto* key_file = restore->add_option("--key", key, "The file with the secret key, if the backup is encrypted");
  key_file->type_name("FILE");
  restore
      ->add_flag("--unencrypted", unencrypted, "Accept a backup without encryption, although BACKUP_PUBLIC_KEY is set")
      ->excludes(key_file);
  restore->callback([&result] {
    const RestoreOptions options{.secret_key = secret_key_in(key), .unencrypted = unencrypted};
    result = restore_backup(configured(), file, options, std::cout) ? 0 : 1;
  });
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

}  // namespace guildhall
