#include <filesystem>
#include <ostream>
#include <regex>

#include "app/commands.h"
#include "storage/migrations.h"

namespace guildhall {
namespace {

constexpr std::string_view sqlite_prefix = "sqlite:";

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

}  // namespace

void show_migration_plan(const StorageConfig& config, std::ostream& out) {
  const SchemaState state = state_of(config.database_url);
  for (const std::string& name : state.changed) {
    out << name << " was applied with another text: migrate would refuse this database\n";
  }
  for (const std::string& name : state.unknown) {
    out << name << " was applied by a newer program"
        << (is_contract(name) ? ": migrate would refuse this database\n" : ", beside which this one can run\n");
  }
  for (const Migration& step : migrations()) {
    if (std::find(state.pending.begin(), state.pending.end(), step.name) == state.pending.end()) continue;
    out << step.name
        << (is_contract(step.name) ? "  stop all servers of earlier versions first\n"
                                   : "  servers of the previous version can go on\n");
    for (const std::string& statement : statements_of(step.sql)) out << "    " << statement << "\n";
  }
  out << state.pending.size() << " of " << migrations().size() << " migrations would be applied"
      << (state.empty ? ", to an empty database" : "") << "; nothing was changed\n";
}

}  // namespace guildhall
