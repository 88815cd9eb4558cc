#pragma once

#include "storage/read_only.h"

namespace guildhall {

std::unique_ptr<ReadOnlyDatabase> open_postgres_read_only(const std::string& url);

}  // namespace guildhall
