#include "app/ops/backup/backup_config.h"

#include "app/ops/backup/backup_file.h"
#include "app/ops/backup/s3.h"
#include "base/config_values.h"

namespace guildhall {
namespace {

std::string parse_target(std::string_view text) {
  if (is_s3_url(text)) parse_s3_url(text);
  return std::string(text);
}

}  // namespace

std::vector<VariableOf<BackupConfig>> BackupConfig::variables() {
  return {
      {"BACKUP_DIR", "", &BackupConfig::backup_dir, parse_text,
       "Where `guildhall backup` stores its files; default `DATA_DIR` + `/backups`."},
      {"BACKUP_TO", "", &BackupConfig::backup_target, parse_target,
       "Where backups go instead of `BACKUP_DIR`: a folder or `s3://bucket/prefix`."},
      {"BACKUP_KEEP", "7", &BackupConfig::backup_keep, integer(1, 10'000),
       "How many backups stay in the folder; `guildhall backup` deletes older ones."},
      {"BACKUP_PUBLIC_KEY", "", &BackupConfig::backup_public_key, parse_backup_key,
       "Encrypts backups for the key that `guildhall backup-key` has made; without it they are not encrypted."},
      {"BACKUP_SCHEDULE", "", &BackupConfig::backup_schedule, parse_backup_schedule,
       "When the server makes backups: a time of the day in UTC (`03:00`) or an interval (`6h`, `30m`); default "
       "never."},
      {"BACKUP_S3_ENDPOINT", "", &BackupConfig::backup_s3_endpoint, parse_base_url,
       "The address of the storage for `s3://`; default that of AWS in the region."},
      {"BACKUP_S3_REGION", "us-east-1", &BackupConfig::backup_s3_region, parse_text, "Its region."},
      {"BACKUP_S3_ACCESS_KEY", "", &BackupConfig::backup_s3_access_key, parse_text, "The id of its access key."},
      {"BACKUP_S3_SECRET_KEY", "", &BackupConfig::backup_s3_secret_key, parse_text, "The secret of its access key.",
       Exposure::secret},
  };
}

}  // namespace guildhall
