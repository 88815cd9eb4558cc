#include "storage/postgres/writes.h"

#include <algorithm>
#include <bit>
#include <regex>
#include <span>

namespace guildhall {
namespace {

using Statements = std::vector<PgWrites::Statement>;

// Transactions that consist of the same statements. by_place[0] are their first statements, by_place[1] their second.
struct Alike {
  std::vector<const Sql*> sequence;
  std::vector<Statements> by_place;
};

bool is_on_shared_row(const PgWrites::Statement& statement) {
  return statement.shared_row.table != SharedRow::Table::none;
}

bool is_insert(const PgWrites::Statement& statement) {
  return statement.query.sql->kind == Sql::Kind::insert;
}

void append(Statements& all, std::span<PgWrites::Statement> some) {
  std::ranges::move(some, std::back_inserter(all));
}

void add_to_those_alike(std::vector<Alike>& groups, Statements statements) {
  std::vector<const Sql*> sequence;
  for (const PgWrites::Statement& each : statements) sequence.push_back(each.query.sql);
  auto group = std::ranges::find(groups, sequence, &Alike::sequence);
  if (group == groups.end()) {
    groups.push_back({std::move(sequence), std::vector<Statements>(statements.size())});
    group = std::prev(groups.end());
  }
  for (std::size_t i = 0; i < statements.size(); ++i) group->by_place[i].push_back(std::move(statements[i]));
}

// Appends statements that differ only in their parameters.
void append_joined(Statements& all, std::span<PgWrites::Statement> same) {
  if (!lists_rows(*same.front().query.sql)) return append(all, same);
  while (!same.empty()) {
    PgWrites::Statement& joined = all.emplace_back(std::move(same.front()));
    joined.times = std::bit_floor(std::min(same.size(), times_max));
    for (PgWrites::Statement& each : same.subspan(1, joined.times - 1)) {
      std::ranges::move(each.query.params, std::back_inserter(joined.query.params));
    }
    same = same.subspan(joined.times);
  }
}

}  // namespace

PgWrites join(std::vector<PgWrites> transactions) {
  PgWrites all;
  Statements on_shared_rows;
  std::vector<Alike> groups;
  for (PgWrites& writes : transactions) {
    std::ranges::copy(writes.refused, std::back_inserter(all.refused));
    const auto shared = std::ranges::stable_partition(writes.statements, std::not_fn(is_on_shared_row));
    append(on_shared_rows, shared);
    writes.statements.erase(shared.begin(), shared.end());
    if (std::ranges::all_of(writes.statements, is_insert)) {
      add_to_those_alike(groups, std::move(writes.statements));
    } else {
      append(all.statements, writes.statements);
    }
  }
  for (Alike& group : groups) {
    for (Statements& same : group.by_place) append_joined(all.statements, same);
  }
  append(all.statements, on_shared_rows);
  return all;
}

bool lists_rows(const Sql& sql) {
  const auto contains = [&](std::string_view word) { return sql.text.find(word) != std::string::npos; };
  return sql.kind == Sql::Kind::insert && contains("VALUES (") && !contains("SELECT") && !contains("RETURNING");
}

std::string text_with_rows(const Sql& sql, std::size_t params, std::size_t times) {
  static const std::regex parameter(R"(\$(\d+))");
  const std::size_t begin = sql.text.find("VALUES (") + std::string_view("VALUES ").size();
  const std::size_t end = std::min(sql.text.find(" ON CONFLICT"), sql.text.size());
  const std::string rows = sql.text.substr(begin, end - begin);
  std::string text = sql.text.substr(0, begin);
  for (std::size_t time = 0; time < times; ++time) {
    if (time > 0) text += ", ";
    std::size_t copied = 0;
    for (std::sregex_iterator found(rows.begin(), rows.end(), parameter), none; found != none; ++found) {
      const auto place = static_cast<std::size_t>(found->position());
      text.append(rows, copied, place - copied);
      text += fmt::format("${}", std::stoul(found->str(1)) + time * params);
      copied = place + static_cast<std::size_t>(found->length());
    }
    text.append(rows, copied);
  }
  return text + sql.text.substr(end);
}

}  // namespace guildhall
