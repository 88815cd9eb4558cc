#include <algorithm>
#include <mutex>
#include <set>

#include "storage/database.h"
#include "storage/late_statements.h"

namespace guildhall {
namespace {

struct Statements {
  std::mutex mutex;
  std::set<const Sql*> existing;
  std::set<const LateStatements*> late;
};

// Created by the first statement. Statements are static objects, so it is destroyed after all of them.
Statements& statements() {
  static Statements all;
  return all;
}

bool begins_with(std::string_view text, std::initializer_list<std::string_view> words) {
  text.remove_prefix(std::min(text.find_first_not_of(" \n"), text.size()));
  return std::ranges::any_of(words, [&](std::string_view word) { return text.starts_with(word); });
}

bool contains(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::ranges::any_of(words, [&](std::string_view word) { return text.find(word) != std::string_view::npos; });
}

Sql::Kind kind_of(std::string_view text) {
  const bool inserts = contains(text, {"INSERT INTO"}), changes = contains(text, {"UPDATE", "DELETE FROM"});
  if (begins_with(text, {"SELECT", "WITH"}) && !inserts && !changes && !contains(text, {"set_config"})) {
    return Sql::Kind::read;
  }
  if (begins_with(text, {"INSERT"}) && !changes) return Sql::Kind::insert;
  const bool writes = (inserts || changes) && begins_with(text, {"INSERT", "UPDATE", "DELETE", "WITH"});
  return writes ? Sql::Kind::write : Sql::Kind::other;
}

}  // namespace

Sql::Sql(std::string text) : text(std::move(text)), kind(kind_of(this->text)) {
  Statements& all = statements();
  const std::lock_guard lock(all.mutex);
  all.existing.insert(this);
}

Sql::~Sql() {
  Statements& all = statements();
  const std::lock_guard lock(all.mutex);
  all.existing.erase(this);
}

LateStatements::LateStatements(std::function<void()> make) : make_(std::move(make)) {
  Statements& all = statements();
  const std::lock_guard lock(all.mutex);
  all.late.insert(this);
}

LateStatements::~LateStatements() {
  Statements& all = statements();
  const std::lock_guard lock(all.mutex);
  all.late.erase(this);
}

std::vector<std::string> statement_texts() {
  Statements& all = statements();
  const auto late = [&] {
    const std::lock_guard lock(all.mutex);
    return all.late;
  }();
  for (const LateStatements* statements : late) statements->ensure();
  const std::lock_guard lock(all.mutex);
  std::vector<std::string> texts;
  for (const Sql* sql : all.existing) texts.push_back(sql->text);
  return texts;
}

}  // namespace guildhall
