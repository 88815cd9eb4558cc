#pragma once

#include <cstddef>

#include "base/task.h"

namespace guildhall {

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
