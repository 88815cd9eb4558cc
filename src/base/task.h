#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <cstddef>

namespace guildhall {

// A coroutine on one event loop. The concrete executor type avoids a virtual call at every resumption.
template <class T = void>
using Task = boost::asio::awaitable<T, boost::asio::io_context::executor_type>;

// Lets the loop do something else for a while.
Task<> pause_for(std::chrono::milliseconds time);

// Work of one loop that goes on after the request that began it has been answered. The loop does not end before it
// does, so it may use whatever the loop's requests use; what it needs of the request it must own.
class Background {
 public:
  explicit Background(boost::asio::io_context& loop) : loop_(loop) {}
  Background(const Background&) = delete;
  Background& operator=(const Background&) = delete;

  // On the loop's thread. What the work throws is logged.
  void start(Task<> work);

  std::size_t running() const { return running_; }

 private:
  boost::asio::io_context& loop_;
  std::size_t running_ = 0;
};

}  // namespace guildhall
