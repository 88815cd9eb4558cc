#pragma once

#include "support/engines.h"

namespace guildhall::test {

// A database that has all tables and no records. Creating the tables takes longer than most tests, so the file of
// SQLite is a copy, and a database of PostgreSQL is used by one test after another.
class MigratedDatabase {
 public:
  explicit MigratedDatabase(Engine engine);
  MigratedDatabase(const MigratedDatabase&) = delete;
  MigratedDatabase& operator=(const MigratedDatabase&) = delete;
  ~MigratedDatabase();

  std::string url;

 private:
  TemporaryFolder folder_;
  int lock_ = -1;  // held while the database belongs to this test
};

}  // namespace guildhall::test
