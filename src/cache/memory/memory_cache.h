#pragma once

#include "cache/cache.h"

namespace guildhall {

// A cache for a single process. All handles share one store, and no call waits.
std::unique_ptr<CacheEngine> open_memory_cache(const CacheOptions& options);

}  // namespace guildhall
