#pragma once

#include <memory>

#include "storage/storage.h"

namespace guildhall {

std::unique_ptr<Storage> open_postgres(const StorageOptions& options);

std::unique_ptr<ReadOnlyDatabase> open_postgres_read_only(const std::string& url);

}  // namespace guildhall
