#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/config.h"

namespace guildhall {

// The configuration of `guildhall backup`.
struct BackupConfig {
  std::string backup_dir;
  std::int64_t backup_keep = 0;   // older backups in the folder are deleted
  std::string backup_public_key;  // empty: backups are not encrypted

  static std::vector<VariableOf<BackupConfig>> variables();
};

}  // namespace guildhall
