#include <ostream>

#include "app/ops/backup/backup.h"
#include "app/ops/backup/backup_file.h"
#include "app/ops/backup/backup_target.h"
#include "app/ops/backup/child_process.h"
#include "app/ops/commands.h"
#include "app/ops/progress.h"
#include "base/private_file.h"
#include "storage/backup.h"
#include "storage/migrations.h"
#include "storage/storage.h"

namespace guildhall {
namespace {

namespace fs = std::filesystem;

void require_engine(const BackupHeader& header, const std::string& url) {
  const std::string_view engine = url.starts_with(sqlite_prefix) ? "sqlite" : "postgresql";
  if (header.engine == engine) return;
  throw std::runtime_error(
      fmt::format("The backup is one of {}, but DATABASE_URL names a database of {}. Restore it into a database of {}, "
                  "and move that with `guildhall copy`.",
                  header.engine, engine, header.engine));
}

// The database appears under its name only when the whole backup was read.
void restore_sqlite(BackupReader& reader, const fs::path& target) {
  for (const char* suffix : {"", "-wal"}) {
    if (!fs::exists(target.string() + suffix)) continue;
    throw std::runtime_error(
        fmt::format("{}{} exists: a backup is restored only where there is no database.", target.string(), suffix));
  }
  make_private_folders(fs::absolute(target).parent_path());
  const fs::path partial = target.string() + ".restoring";
  fs::remove(partial);
  try {
    PrivateFile file(partial);
    Progress progress("restoring", reader.size(), Progress::Unit::bytes);
    for (std::string_view data = reader.read(); !data.empty(); data = reader.read()) {
      file.write(data);
      progress.add(reader.position() - progress.done());
    }
    file.finish();
    check_sqlite(partial);
  } catch (...) {
    fs::remove(partial);
    throw;
  }
  fs::rename(partial, target);
}

void require_empty(const std::string& url) {
  const auto database = open_read_only(url);
  database->read([&](Tx& tx) {
    if (schema_state(tx, database->name()).empty) return;
    throw std::runtime_error("The database has tables: a backup is restored only into an empty one.");
  });
}

void restore_postgres(BackupReader& reader, const std::string& url) {
  require_empty(url);
  auto environment = postgres_environment(url);
  const std::string database = environment.contains("PGDATABASE") ? environment["PGDATABASE"] : environment["PGUSER"];
  // One transaction: after a failure the database is still empty. It ends with this process, also after kill -9:
  // otherwise it would commit what was not verified.
  ChildProcess restore(
      {"setpriv", "--pdeathsig", "TERM", "pg_restore", "--dbname=" + database, "--schema=" + reader.header().schema,
       "--no-owner", "--no-privileges", "--exit-on-error", "--single-transaction"},
      std::move(environment), ChildProcess::Pipe::input);
  Progress progress("restoring", reader.size(), Progress::Unit::bytes);
  for (std::string_view data = reader.read(); !data.empty(); data = reader.read()) {
    restore.write(data);
    progress.add(reader.position() - progress.done());
  }
  restore.finish();
}

// Downloads the backup first, so that a connection that breaks off leaves nothing half restored.
bool restore_from_s3(const Config& config, S3Location location, const RestoreOptions& options, std::ostream& out) {
  if (!location.name.ends_with(".backup")) location = as_folder(std::move(location));
  const S3Folder folder = open_s3(config, location);
  if (location.name.empty()) {
    const std::vector<S3Object> backups = backups_in(folder);
    if (backups.empty()) throw std::runtime_error(fmt::format("There is no backup in {}.", folder.url("")));
    location.name = backups.back().name;
  }
  make_private_folders(transfer_folder(config));
  const fs::path file = transfer_folder(config) / "restoring.partial";
  fs::remove(file);  // left by a former attempt
  const FileRemoval removal(file);
  folder.download(location.name, file);
  out << fmt::format("Downloaded {}.\n", folder.url(location.name));
  return restore_backup(config, file.string(), options, out);
}

void require_encryption(const BackupHeader& header, const Config& config, const RestoreOptions& options) {
  const bool expected = !options.secret_key.empty() || !config.backup_public_key.empty();
  if (header.sealed_key || !expected || options.unencrypted) return;
  throw std::runtime_error(
      "The backup is not encrypted, so it may come from anybody who can write to its folder. If you know that it is "
      "yours, restore it with --unencrypted and without --key.");
}

}  // namespace

bool restore_backup(const Config& config, const std::string& from, const RestoreOptions& options, std::ostream& out) {
  if (is_s3_url(from)) return restore_from_s3(config, parse_s3_url(from), options, out);
  BackupReader reader(from, options.secret_key);
  const BackupHeader& header = reader.header();
  require_encryption(header, config, options);
  require_engine(header, config.database_url);
  if (header.engine == "sqlite") {
    restore_sqlite(reader, config.database_url.substr(sqlite_prefix.size()));
  } else {
    restore_postgres(reader, config.database_url);
  }
  {
    const auto storage = open_storage({.url = config.database_url, .writer_connections_max = 1});
    const int applied = migrate(*storage);
    collect_statistics(*storage);
    out << fmt::format("Restored the backup of {} (made by version {}), {} migrations applied.\n",
                       to_string(header.created_at), header.version, applied);
  }
  const bool audit_ok = verify_audit_trail(config, std::nullopt);
  return verify_fund_ledgers(config, std::nullopt) && audit_ok;
}

}  // namespace guildhall
