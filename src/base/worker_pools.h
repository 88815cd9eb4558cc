#pragma once

#include "base/worker_pool.h"

namespace guildhall {

// The pools of the server, each with a type of its own, so that a part can name the one that it needs.

struct HashingWorkers : WorkerPool {  // for work that takes a core: a flood of sign-ins must not take it from requests
  HashingWorkers(int threads, std::size_t queued_max) : WorkerPool(threads, queued_max, Priority::low) {}
};

struct OutboundWorkers : WorkerPool {  // for calls to other servers
  using WorkerPool::WorkerPool;
};

}  // namespace guildhall
