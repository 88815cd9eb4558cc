#pragma once

#include <cstddef>

#include "app/config.h"

namespace guildhall {

// Raises the process's limit of open descriptors as far as the system lets it; returns the limit.
std::size_t raise_descriptor_limit();

// How many client connections fit beside everything else that needs descriptors: the database, the cache, calls to
// other servers, files.
std::size_t connections_for(std::size_t descriptors, const Config& config);

}  // namespace guildhall
