#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "base/task.h"
#include "storage/storage.h"

namespace guildhall {

// Finds out, for GET /readyz, whether the database can be written. One per loop.
//
// A commit within the last second is sufficient. Otherwise a probe writes and deletes a row; it runs in the background,
// at most one at a time and not more often than twice a second, so that many requests cannot flood the database.
class DatabaseProbe {
 public:
  DatabaseProbe(Database& db, const Storage& storage, Background& background)
      : db_(db), storage_(storage), background_(background) {}
  DatabaseProbe(const DatabaseProbe&) = delete;
  DatabaseProbe& operator=(const DatabaseProbe&) = delete;

  struct State {
    bool writable = false;
    std::vector<std::string> warnings;  // sentences for the operator
  };

  // Returns within two seconds. A probe that takes longer counts as failed, although it continues.
  Task<State> state();

 private:
  using Time = std::chrono::steady_clock::time_point;

  bool wants_probe(bool recently_written) const;
  Task<> run();
  std::vector<std::string> warnings() const;

  Database& db_;
  const Storage& storage_;
  Background& background_;
  bool running_ = false;
  bool succeeded_ = false;
  Time started_{}, ended_{};
  Probe last_;
};

}  // namespace guildhall
