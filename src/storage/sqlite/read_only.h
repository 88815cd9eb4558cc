#pragma once

#include "storage/read_only.h"

namespace guildhall {

std::unique_ptr<ReadOnlyDatabase> open_sqlite_read_only(const std::string& path);

}  // namespace guildhall
