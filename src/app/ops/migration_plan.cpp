#include <algorithm>
#include <filesystem>
#include <ostream>
#include <regex>

#include "app/ops/commands.h"
#include "base/declared.h"
#include "storage/migrations.h"
#include "storage/storage.h"

namespace guildhall {
namespace {

SchemaState state_of(const std::string& url) {
  SchemaState state;
  if (url.starts_with(sqlite_prefix) && !std::filesystem::exists(url.substr(sqlite_prefix.size()))) {
    state.empty = true;
    for (const Migration& step : migrations()) state.pending.emplace_back(step.name);
    return state;
  }
  const auto database = open_read_only(url);
  database->read([&](Tx& tx) { state = schema_state(tx, database->name()); });
  return state;
}

// The statements of a migration, each on one line, without comments.
std::vector<std::string> statements_of(std::string_view sql) {
  static const std::regex comments("--[^\n]*"), spaces(R"(\s+)");
  const std::string text = std::regex_replace(std::regex_replace(std::string(sql), comments, ""), spaces, " ");
  std::vector<std::string> statements;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(';', at), text.size());
    std::string statement = text.substr(at, end - at);
    statement.erase(0, statement.find_first_not_of(' '));
    if (!statement.empty()) statements.push_back(std::move(statement));
    at = end + 1;
  }
  return statements;
}

struct PendingMigration {
  std::string name;
  bool stop_earlier_versions = false;  // servers of earlier versions cannot work with it
  std::vector<std::string> statements;
};
BOOST_DESCRIBE_STRUCT(PendingMigration, (), (name, stop_earlier_versions, statements))

struct MigrationPlan {
  bool possible = false;  // migrate would not refuse the database
  bool empty_database = false;
  std::vector<PendingMigration> pending;
  std::vector<std::string> changed;  // applied with another text
  std::vector<std::string> unknown;  // applied by a newer program
};
BOOST_DESCRIBE_STRUCT(MigrationPlan, (), (possible, empty_database, pending, changed, unknown))

MigrationPlan plan_for(const SchemaState& state) {
  MigrationPlan plan{.possible = state.changed.empty() && std::ranges::none_of(state.unknown, is_contract),
                     .empty_database = state.empty,
                     .pending = {},
                     .changed = state.changed,
                     .unknown = state.unknown};
  for (const Migration& step : migrations()) {
    if (std::ranges::find(state.pending, step.name) == state.pending.end()) continue;
    plan.pending.push_back({std::string(step.name), is_contract(step.name), statements_of(step.sql)});
  }
  return plan;
}

void print(const MigrationPlan& plan, std::ostream& out) {
  for (const std::string& name : plan.changed) {
    out << name << " was applied with another text: migrate would refuse this database\n";
  }
  for (const std::string& name : plan.unknown) {
    out << name << " was applied by a newer program"
        << (is_contract(name) ? ": migrate would refuse this database\n" : ", beside which this one can run\n");
  }
  for (const PendingMigration& step : plan.pending) {
    out << step.name
        << (step.stop_earlier_versions ? "  stop all servers of earlier versions first\n"
                                       : "  servers of the previous version can go on\n");
    for (const std::string& statement : step.statements) out << "    " << statement << "\n";
  }
  out << plan.pending.size() << " of " << migrations().size() << " migrations would be applied"
      << (plan.empty_database ? ", to an empty database" : "") << "; nothing was changed\n";
}

}  // namespace

void show_migration_plan(const StorageConfig& config, bool json, std::ostream& out) {
  const MigrationPlan plan = plan_for(state_of(config.database_url));
  json ? void(out << to_json(plan) << "\n") : print(plan, out);
}

}  // namespace guildhall
