#include "app/backup/backup_config.h"

#include "app/backup/backup_file.h"
#include "base/config_values.h"

namespace guildhall {

std::vector<VariableOf<BackupConfig>> BackupConfig::variables() {
  return {
      {"BACKUP_DIR", "", &BackupConfig::backup_dir, parse_text,
       "Where `guildhall backup` stores its files; default `DATA_DIR` + `/backups`."},
      {"BACKUP_KEEP", "7", &BackupConfig::backup_keep, integer(1, 10'000),
       "How many backups stay in the folder; `guildhall backup` deletes older ones."},
      {"BACKUP_PUBLIC_KEY", "", &BackupConfig::backup_public_key, parse_backup_key,
       "Encrypts backups for the key that `guildhall backup-key` has made; without it they are not encrypted."},
  };
}

}  // namespace guildhall
