#pragma once

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include "cache/cache.h"

namespace guildhall {

// Runs a task of the cache on the calling thread, for background jobs; never on a loop. An open connection keeps the
// loop busy, so the end of the task is awaited and not the end of the loop.
template <class Work>
void run_with(CacheEngine& engine, Work work) {
  boost::asio::io_context loop(1);
  const auto cache = engine.open(loop);
  std::exception_ptr failure;
  bool done = false;
  boost::asio::co_spawn(
      loop, [&]() -> Task<> { co_await work(*cache); },
      [&](std::exception_ptr thrown) {
        failure = std::move(thrown);
        done = true;
      });
  while (!done) loop.run_one();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace guildhall
