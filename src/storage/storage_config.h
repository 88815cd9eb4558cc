#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/config.h"

namespace guildhall {

// The configuration of the database.
struct StorageConfig {
  std::string database_url;
  std::int64_t database_connections = 0;
  bool sqlite_gathered_log = true;

  static std::vector<VariableOf<StorageConfig>> variables();
};

}  // namespace guildhall
