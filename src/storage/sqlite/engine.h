#pragma once

#include <memory>
#include <string>

#include "storage/storage.h"

namespace guildhall {

// The file at `path`, which is made if missing, readable by its owner alone, as is the folder it stands in.
std::unique_ptr<Storage> open_sqlite(const std::string& path, const StorageOptions& options);

}  // namespace guildhall
