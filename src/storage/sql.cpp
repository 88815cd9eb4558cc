#include <mutex>
#include <set>

#include "storage/database.h"

namespace guildhall {
namespace {

struct Statements {
  std::mutex mutex;
  std::set<const Sql*> existing;
};

// Created by the first statement. Statements are static objects, so it is destroyed after all of them.
Statements& statements() {
  static Statements all;
  return all;
}

}  // namespace

Sql::Sql(std::string text) : text(std::move(text)) {
  Statements& all = statements();
  const std::lock_guard lock(all.mutex);
  all.existing.insert(this);
}

Sql::~Sql() {
  Statements& all = statements();
  const std::lock_guard lock(all.mutex);
  all.existing.erase(this);
}

std::vector<std::string> statement_texts() {
  Statements& all = statements();
  const std::lock_guard lock(all.mutex);
  std::vector<std::string> texts;
  for (const Sql* sql : all.existing) texts.push_back(sql->text);
  return texts;
}

}  // namespace guildhall
