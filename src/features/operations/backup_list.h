#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/declared.h"
#include "base/instant.h"

namespace guildhall {

// A file of `guildhall backup`.
struct StoredBackup {
  std::string name;
  Instant created_at;
  std::int64_t bytes = 0;
  std::optional<std::string> engine;   // null: the file cannot be read
  std::optional<std::string> version;  // of the program that made it
  bool encrypted = false;
  bool verified = false;  // it was read again completely when it was made
};
BOOST_DESCRIBE_STRUCT(StoredBackup, (), (name, created_at, bytes, engine, version, encrypted, verified))

enum class RequestedBackupStatus { RUNNING, DONE, FAILED };
BOOST_DESCRIBE_ENUM(RequestedBackupStatus, RUNNING, DONE, FAILED)

// A backup that an operator has requested from the running server.
struct RequestedBackup {
  RequestedBackupStatus status = RequestedBackupStatus::RUNNING;
  Instant started_at;
  std::optional<Instant> finished_at;
  std::optional<std::string> file;
  std::optional<std::int64_t> bytes;
  std::optional<std::string> error;  // a sentence for the operator
};
BOOST_DESCRIBE_STRUCT(RequestedBackup, (), (status, started_at, finished_at, file, bytes, error))

struct BackupList {
  std::string folder;
  std::vector<StoredBackup> items;
  std::int64_t keep = 0;                     // BACKUP_KEEP
  std::optional<RequestedBackup> requested;  // the last one of a day
};
BOOST_DESCRIBE_STRUCT(BackupList, (), (folder, items, keep, requested))

}  // namespace guildhall
