#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/config.h"

namespace guildhall {

// The configuration of stored pictures.
struct MediaConfig {
  std::string media_dir;  // empty: pictures are stored in the database
  std::int64_t media_tenant_mib_max = 0;

  static std::vector<VariableOf<MediaConfig>> variables();
};

}  // namespace guildhall
