#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/config.h"

namespace guildhall {

// The configuration of the database.
struct StorageConfig {
  std::string database_url;
  std::string database_read_url;  // empty: everything is read from database_url
  std::int64_t database_connections = 0;
  bool sqlite_gathered_log = true;
  std::int64_t slow_statement_ms = 0;  // 0: slow statements are not logged

  static std::vector<VariableOf<StorageConfig>> variables();
};

}  // namespace guildhall
