#pragma once

#include "cache/cache.h"

namespace guildhall {

// The cache of a single process. All handles share one store; no call ever waits.
std::unique_ptr<CacheEngine> open_memory_cache(const CacheOptions& options);

}  // namespace guildhall
