#include <filesystem>
#include <unistd.h>

#include "app/key_check.h"
#include "app/ops/doctor/doctor.h"
#include "app/running_server.h"
#include "base/clock.h"
#include "storage/migrations.h"
#include "storage/storage.h"

namespace guildhall {
namespace {

constexpr std::int64_t clock_difference_ms_max = 5'000;

std::string joined(const std::vector<std::string>& names) {
  std::string list;
  for (const std::string& name : names) list.append(list.empty() ? "" : ", ").append(name);
  return list;
}

void check_schema(const SchemaState& state, const std::string& engine, Findings& findings) {
  if (state.empty) {
    findings.warning("database", fmt::format("{} answers, and is empty", engine),
                     "`guildhall serve` or `guildhall migrate` creates the tables.");
  } else if (!state.ours) {
    findings.warning("database", fmt::format("{} answers, but has only another program's tables", engine),
                     "Check DATABASE_URL: `guildhall serve` would add its tables to these.");
  } else if (state.is_too_new()) {
    findings.problem("database", "a newer program has removed what this one needs: " + joined(state.unknown),
                     "Use the newer program that has served this database.");
  } else if (!state.changed.empty()) {
    findings.problem("database", "it was made with another text of migrations " + joined(state.changed),
                     "Use the program that has made this database.");
  } else if (!state.pending.empty()) {
    findings.warning("database", "pending migrations: " + joined(state.pending),
                     "`guildhall serve` or `guildhall migrate` applies them; make a backup first.");
  } else if (!state.unknown.empty()) {
    findings.warning("database", "it has migrations of a newer program: " + joined(state.unknown),
                     "This program can run beside the newer one; update it soon.");
  } else {
    findings.ok("database", fmt::format("{} answers, its schema is up to date", engine));
  }
}

void check_key(Tx& tx, const InstallationConfig& config, Findings& findings) {
  const std::vector<std::string> keys = master_keys_of(config);
  if (keys.empty()) {
    if (!has_key_check(tx)) return;
    findings.problem("master key", "SERVICE_MASTER_KEY is not set, but the database was used with one",
                     "Set SERVICE_MASTER_KEY to the former key: without it tenants' credentials cannot be used.");
    return;
  }
  switch (check_master_key(tx, SecretBox(keys))) {
    case KeyCheck::absent:
      findings.ok("master key", "no server has used one with this database yet");
      break;
    case KeyCheck::right:
      findings.ok("master key", "it opens the secrets in this database");
      break;
    case KeyCheck::former:
      findings.warning("master key", "the secrets in this database are still sealed with a former key",
                       "Run `guildhall rekey`, and then remove the former key from SERVICE_MASTER_KEY.");
      break;
    case KeyCheck::wrong:
      findings.problem("master key", "SERVICE_MASTER_KEY is not the key that this database was used with",
                       "Set the former key: with another one tenants' credentials cannot be used.");
      break;
  }
}

const Sql postgresql_clock("SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)");

// PostgreSQL's clock is compared with this machine's. SQLite has no clock of its own, so there the time of the last
// migration must not be in the future.
void check_clocks(Tx& tx, const std::string& engine, const SchemaState& state, Findings& findings) {
  std::int64_t database_ms = state.newest_at;
  if (engine == "postgresql") {
    tx.run({&postgresql_clock, {}}, [&](const Row& row) { database_ms = row.integer(0); });
  }
  const std::int64_t difference = local_now().ms - database_ms;
  const bool ahead = engine == "postgresql" && difference > clock_difference_ms_max;
  if (!ahead && difference >= -clock_difference_ms_max) return;
  findings.warning("clock",
                   fmt::format("this machine's clock is {} s {} the database's", std::abs(difference) / 1000,
                               ahead ? "ahead of" : "behind"),
                   "Set both clocks with NTP: lifetimes of sessions, links and leases depend on them.");
}

const Sql postgresql_collation("SELECT datcollate FROM pg_database WHERE datname = current_database()");

void check_collation(Tx& tx, Findings& findings) {
  std::string collation;
  tx.run({&postgresql_collation, {}}, [&](const Row& row) { collation = row.text(0); });
  if (collation == "C" || collation == "POSIX") return;
  findings.warning("database", fmt::format("it compares texts with the collation {}", collation),
                   "Create the next database with LC_COLLATE 'C', and copy this one to it: lookups take less time, and"
                   " an update of the C library cannot damage an index.");
}

void check_writable(const std::string& path, Findings& findings) {
  if (::access(path.c_str(), W_OK) == 0) return;
  findings.problem("database", fmt::format("this user cannot write to {}", path),
                   "Run as the server's user, or correct the owner of the file.");
}

// Returns whether there is a database to check.
bool sqlite_file_exists(const std::string& path, Findings& findings) {
  if (std::filesystem::exists(path)) {
    check_writable(path, findings);
    return true;
  }
  findings.warning("database", fmt::format("there is no file {} yet", path),
                   "`guildhall serve` creates it; if there should be one, check DATABASE_URL and DATA_DIR.");
  return false;
}

void check_replica(const Config& config, Findings& findings) {
  if (config.database_read_url.empty()) return;
  std::string problem;
  try {
    problem = replica_problem(config.database_url, config.database_read_url);
  } catch (const std::exception& error) {
    problem = error.what();
  }
  if (problem.empty()) return findings.ok("replica", "it answers and has what the primary has");
  findings.warning("replica", "lists are read from the primary, not from the replica: " + problem,
                   "Check DATABASE_READ_URL, and that the replica is running and receives what the primary writes.");
}

}  // namespace

void check_database(const Examined& examined, Findings& findings) {
  const Config& config = examined.config;
  try {
    const std::string& url = config.database_url;
    if (url.starts_with(sqlite_prefix) && !sqlite_file_exists(url.substr(sqlite_prefix.size()), findings)) return;
    examined.read_database([&](Tx& tx, const std::string& engine) {
      const SchemaState state = schema_state(tx, engine);
      check_schema(state, engine, findings);
      check_clocks(tx, engine, state, findings);
      if (engine == "postgresql") check_collation(tx, findings);
      if (!state.ours || !state.pending.empty() || state.is_too_new()) return;
      check_key(tx, config, findings);
      if (is_database_of_server(tx, config.data_dir)) return;
      findings.problem("database", "the server that runs with this DATA_DIR uses another database",
                       "Run commands with the server's variables, as `guildhall-ctl` does.");
    });
  } catch (const std::exception& error) {
    findings.problem("database", error.what(), "Check DATABASE_URL, and that the database is running and readable.");
    return;
  }
  check_replica(config, findings);
}

}  // namespace guildhall
