#pragma once

#include "cache/cache.h"

namespace guildhall {

enum class CacheState {
  ok,
  read_only,  // it answers but refuses writes, as a full Redis with the policy `noeviction` does
  down,       // it does not answer, or not in time
};

// Checks the cache with a small write, and with a read when that fails. Never throws.
Task<CacheState> probe(Cache& cache);

}  // namespace guildhall
