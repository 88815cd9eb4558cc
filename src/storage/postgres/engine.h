#pragma once

#include <memory>

#include "storage/storage.h"

namespace guildhall {

std::unique_ptr<Storage> open_postgres(const StorageOptions& options);

}  // namespace guildhall
