#include "storage/migrations.h"

#include <algorithm>
#include <boost/algorithm/string/replace.hpp>
#include <fmt/ranges.h>
#include <map>

#include "base/crypto.h"
#include "base/encoding.h"
#include "base/instant.h"
#include "base/log.h"
#include "storage/partitions.h"

namespace guildhall {
namespace {

const Sql create_table{
    "CREATE TABLE IF NOT EXISTS schema_migrations ("
    " number bigint NOT NULL, name text NOT NULL, checksum text NOT NULL, applied_at bigint NOT NULL,"
    " CONSTRAINT schema_migrations_pkey PRIMARY KEY (number))"};

// Lets only one node migrate at a time; the others wait, however long the migration takes. SQLite needs no lock: only
// one process may open the file, and its writes run one after the other.
const Sql lock_table{"LOCK TABLE schema_migrations IN SHARE ROW EXCLUSIVE MODE"};
// Requests wait for the tables that a migration locks, so it must not wait long for its own locks.
const Sql wait_for_locks_briefly{"SELECT set_config('lock_timeout', '10s', true)"};

const Sql select_applied{"SELECT number, name, checksum, applied_at FROM schema_migrations ORDER BY number"};
const Sql insert_applied{"INSERT INTO schema_migrations (number, name, checksum, applied_at) VALUES ($1, $2, $3, $4)"};

struct Applied {
  std::int64_t number;
  std::string name;
  std::string checksum;
  std::int64_t applied_at;
};

Applied read_applied(const Row& row) {
  return {row.integer(0), std::string(row.text(1)), std::string(row.text(2)), row.integer(3)};
}

const Sql sqlite_tables{"SELECT name FROM sqlite_master WHERE type = 'table'"};
const Sql postgresql_tables{
    "SELECT CAST(relname AS text) FROM pg_class WHERE relkind IN ('r', 'p') AND NOT relispartition"
    " AND relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema())"};

const Sql is_partitioned{
    "SELECT EXISTS (SELECT 1 FROM pg_class WHERE relispartition"
    " AND relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema()))"};

// Selects those of the tables that have rows.
std::string select_filled(std::span<const std::string_view> tables) {
  std::string text;
  for (const std::string_view table : tables) {
    text += fmt::format("{0}SELECT '{1}' WHERE EXISTS (SELECT 1 FROM {1})", text.empty() ? "" : " UNION ALL ", table);
  }
  return text;
}

// The tables with more than a few rows of which the server has no statistics yet.
const Sql unknown_tables{
    "SELECT CAST(relname AS text) FROM pg_stat_user_tables WHERE schemaname = current_schema()"
    " AND last_analyze IS NULL AND last_autoanalyze IS NULL AND n_mod_since_analyze >= 200"};

// The text after "-- sqlite:" is a comment for PostgreSQL, and part of the migration on SQLite.
std::string script_for(std::string_view engine, std::string_view sql) {
  std::string script(sql);
  if (engine == "sqlite") boost::replace_all(script, "-- sqlite:", "");
  return script;
}

std::string checksum_of(const Migration& step) {
  return hex(sha256(step.sql));
}

// Throws std::runtime_error if the migration was applied with another text.
bool is_applied(const Migration& step, const std::vector<Applied>& records) {
  const auto found = std::ranges::find(records, step.number, &Applied::number);
  if (found == records.end()) return false;
  const Applied& applied = *found;
  if (applied.checksum == checksum_of(step) && applied.name == step.name) return true;
  throw std::runtime_error(
      fmt::format("Migration {} was changed after it had been applied to this database (as {}): restore its text, and "
                  "put the change into a new migration.",
                  step.name, applied.name));
}

}  // namespace

class Migrator {
 public:
  Migrator(Storage& storage, std::span<const Migration> steps) : storage_(storage), steps_(steps) {}

  int run() {
    make_table();
    std::vector<Applied> before;
    storage_.write_now([&](Tx& tx) { before = records(tx); });
    refuse_contracts(before);
    std::vector<const Migration*> missing;
    for (const Migration& step : steps_) {
      if (!is_applied(step, before)) missing.push_back(&step);
    }
    const bool is_new = before.empty();
    // A new database gets all of them in one transaction, so that it is written to the disk once.
    const std::size_t together = is_new ? missing.size() : 1;
    int applied = 0;
    for (std::size_t i = 0; i < missing.size(); i += together) {
      std::vector<const Migration*> done;
      storage_.write_now([&](Tx& tx) {
        done.clear();
        for (std::size_t j = i; j < i + together; ++j) {
          if (apply(tx, *missing[j], is_new)) done.push_back(missing[j]);
        }
      });
      applied += static_cast<int>(done.size());
      for (const Migration* step : done) log::info("Applied a migration", {{"migration", step->name}});
    }
    if (applied > 0 && !is_new) collect_statistics(postgresql_tables);
    return applied;
  }

  void partition(std::span<const std::string_view> tables, int count) {
    if (storage_.name() != "postgresql") throw std::runtime_error("Only a database of PostgreSQL can be partitioned.");
    storage_.write_now([&](Tx& tx) {
      tx.lift_time_limits();
      tx.later({&lock_table, {}});
      bool partitioned = false;
      tx.run({&is_partitioned, {}}, [&](const Row& row) { partitioned = row.boolean(0); });
      if (partitioned) throw std::runtime_error("The database is partitioned already.");
      tx.run_script(fmt::format("LOCK TABLE {} IN ACCESS EXCLUSIVE MODE", fmt::join(tables, ", ")));
      std::string filled;
      const Sql filled_tables(select_filled(tables));
      tx.run({&filled_tables, {}}, [&](const Row& row) { filled = row.text(0); });
      if (!filled.empty()) {
        throw std::runtime_error(
            fmt::format("Table {} has rows. Make a new database with `guildhall migrate --partitions`, and copy this "
                        "one to it with `guildhall copy`.",
                        filled));
      }
      tx.run_script(partition_script(tables, count));
      tx.run_script(name_partitions_script);
    });
  }

  void collect_statistics(const Sql& select_tables) {
    if (storage_.name() != "postgresql") return;
    storage_.write_now([&](Tx& tx) {
      std::string tables;
      tx.run({&select_tables, {}},
             [&](const Row& row) { tables += fmt::format("{}\"{}\"", tables.empty() ? "" : ", ", row.text(0)); });
      if (tables.empty()) return;
      tx.lift_time_limits();
      tx.run_script("ANALYZE " + tables);
    });
  }

 private:
  // When two nodes create the table at the same time, the second one fails in one of several ways, and succeeds when it
  // tries again.
  void make_table() {
    auto make = [](Tx& tx) { tx.run({&create_table, {}}); };
    try {
      storage_.write_now(make);
    } catch (const std::exception&) {
      storage_.write_now(make);
    }
  }

  // Returns true if this call applied the migration. Checks and applies it in one transaction, under the lock.
  bool apply(Tx& tx, const Migration& step, bool is_new) {
    tx.lift_time_limits();
    if (storage_.name() == "postgresql") {
      tx.later({&lock_table, {}});
      tx.later({&wait_for_locks_briefly, {}});
    }
    if (is_applied(step, records(tx))) return false;
    tx.run_script(script_for(storage_.name(), step.sql));
    if (storage_.name() == "postgresql" && !is_new) tx.run_script(name_partitions_script);
    tx.run({&insert_applied, {std::int64_t{step.number}, std::string(step.name), checksum_of(step), now().ms}});
    return true;
  }

  static std::vector<Applied> records(Tx& tx) { return tx.all(Select<Applied>{{&select_applied, {}}, read_applied}); }

  void refuse_contracts(const std::vector<Applied>& records) const {
    const int newest = steps_.empty() ? 0 : steps_.back().number;
    for (const Applied& applied : records) {
      if (applied.number <= newest) continue;
      if (is_contract(applied.name)) {
        throw std::runtime_error(
            fmt::format("The database is newer than this program: it has migration {}, which programs from before it "
                        "cannot work with. Start the newer program.",
                        applied.name));
      }
      log::warn("the database has a migration of a newer program, beside which this one can run",
                {{"migration", applied.name}});
    }
  }

  Storage& storage_;
  std::span<const Migration> steps_;
};

SchemaState schema_state(Tx& tx, std::string_view engine, std::span<const Migration> steps) {
  SchemaState state{.empty = true};
  tx.run({engine == "sqlite" ? &sqlite_tables : &postgresql_tables, {}}, [&](const Row& row) {
    state.empty = false;
    state.ours = state.ours || row.text(0) == "schema_migrations";
  });
  std::map<std::int64_t, Applied> applied;
  if (state.ours) {
    for (Applied& each : tx.all(Select<Applied>{{&select_applied, {}}, read_applied})) {
      state.newest_at = std::max(state.newest_at, each.applied_at);
      applied.emplace(each.number, std::move(each));
    }
  }
  for (const Migration& step : steps) {
    const auto found = applied.find(step.number);
    if (found == applied.end()) {
      state.pending.emplace_back(step.name);
      continue;
    }
    if (found->second.name != step.name || found->second.checksum != checksum_of(step)) {
      state.changed.emplace_back(step.name);
    }
    applied.erase(found);
  }
  for (const auto& [number, each] : applied) state.unknown.push_back(each.name);
  return state;
}

bool is_contract(std::string_view name) {
  return name.substr(std::min(name.size(), name.find('_') + 1)).starts_with("contract_");
}

void collect_statistics(Storage& storage) {
  Migrator(storage, {}).collect_statistics(postgresql_tables);
}

void collect_missing_statistics(Storage& storage) {
  Migrator(storage, {}).collect_statistics(unknown_tables);
}

void partition(Storage& storage, std::span<const std::string_view> tables, int count) {
  Migrator(storage, {}).partition(tables, count);
}

int migrate(Storage& storage, std::span<const Migration> steps) {
  return Migrator(storage, steps).run();
}

}  // namespace guildhall
