#pragma once

#include <memory>
#include <string>

#include "storage/storage.h"

namespace guildhall {

// Opens the file at `path`. Creates it and its folder if they are missing, readable by their owner alone.
std::unique_ptr<Storage> open_sqlite(const std::string& path, const StorageOptions& options);

std::unique_ptr<ReadOnlyDatabase> open_sqlite_read_only(const std::string& path);

}  // namespace guildhall
