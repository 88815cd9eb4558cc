#pragma once

#include "storage/database.h"

namespace guildhall {

// The reads that the function announces (Tx::read_ahead), for Database::write(). None if the function runs a statement,
// since there is no transaction yet.
std::vector<Query> announced_reads(FunctionRef<void(Tx&)> announce);

}  // namespace guildhall
