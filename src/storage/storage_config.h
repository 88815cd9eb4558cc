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

  static std::vector<VariableOf<StorageConfig>> variables();
};

}  // namespace guildhall
