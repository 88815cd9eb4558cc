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

struct BackupList {
  std::string folder;
  std::vector<StoredBackup> items;
};
BOOST_DESCRIBE_STRUCT(BackupList, (), (folder, items))

}  // namespace guildhall
