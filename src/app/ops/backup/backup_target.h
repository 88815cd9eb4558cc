#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/config.h"
#include "app/ops/backup/s3.h"

// The places where backups are stored: folders, and prefixes of buckets.
namespace guildhall {

// guildhall-20260101T120000Z.backup: the names sort by time.
std::string backup_name(Instant at);

// The backups, oldest first.
std::vector<std::filesystem::path> backups_in(const std::filesystem::path& folder);
std::vector<S3Object> backups_in(const S3Folder& folder);

// With the configured endpoint and credentials.
S3Folder open_s3(const BackupConfig& config, S3Location location);

// The location with the last part of the URL as a part of the prefix: the URL names a folder.
S3Location as_folder(S3Location location);

// The folder for files on their way to and from a bucket. It is not BACKUP_DIR, which has complete backups only.
std::filesystem::path transfer_folder(const Config& config);

// Deletes a file at the end, also after an exception.
class FileRemoval {
 public:
  explicit FileRemoval(std::filesystem::path path) : path_(std::move(path)) {}
  FileRemoval(const FileRemoval&) = delete;
  FileRemoval& operator=(const FileRemoval&) = delete;
  ~FileRemoval() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }

 private:
  const std::filesystem::path path_;
};

}  // namespace guildhall
