#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <cstddef>

namespace guildhall {

// A coroutine on one event loop. The concrete executor type avoids a virtual call at every resumption.
template <class T = void>
using Task = boost::asio::awaitable<T, boost::asio::io_context::executor_type>;

// Suspends the calling coroutine for the time. The loop runs other work meanwhile.
Task<> pause_for(std::chrono::milliseconds time);

// Work on one loop that continues after the request that started it has been answered. The loop waits for it before it
// ends, so the work may use the same objects as requests do. It must own the data of the request that it needs.
class Background {
 public:
  explicit Background(boost::asio::io_context& loop) : loop_(loop) {}
  Background(const Background&) = delete;
  Background& operator=(const Background&) = delete;

  // Call this on the loop's thread. An exception of the work is logged.
  void start(Task<> work);

  std::size_t running() const { return running_; }

 private:
  boost::asio::io_context& loop_;
  std::size_t running_ = 0;
};

}  // namespace guildhall
