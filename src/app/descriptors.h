#pragma once

#include <cstddef>

#include "app/config.h"

namespace guildhall {

// Raises the process's limit of open descriptors as far as the system allows, and returns the limit.
std::size_t raise_descriptor_limit();

// Returns the number of client connections for which descriptors remain, after those for the database, the cache, calls
// to other servers and files.
std::size_t connections_for(std::size_t descriptors, const Config& config);

}  // namespace guildhall
