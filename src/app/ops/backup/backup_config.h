#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/ops/backup/backup_schedule.h"
#include "base/config.h"

namespace guildhall {

// The configuration of `guildhall backup`.
struct BackupConfig {
  std::string backup_dir;
  std::string backup_target;      // a folder or s3://bucket/prefix
  std::int64_t backup_keep = 0;   // older backups in the target are deleted
  std::string backup_public_key;  // empty: backups are not encrypted
  BackupSchedule backup_schedule;
  std::string backup_s3_endpoint;
  std::string backup_s3_region;
  std::string backup_s3_access_key;
  std::string backup_s3_secret_key;

  static std::vector<VariableOf<BackupConfig>> variables();
};

}  // namespace guildhall
