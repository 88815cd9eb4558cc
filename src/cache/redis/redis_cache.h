#pragma once

#include "cache/cache.h"
#include "cache/redis/redis_url.h"

namespace guildhall {

// A cache that several processes share. Opening it does not wait for the server; check() does.
std::unique_ptr<CacheEngine> open_redis_cache(const RedisUrl& server, const CacheOptions& options);

}  // namespace guildhall
