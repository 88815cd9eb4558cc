#pragma once

#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>

namespace guildhall {

// Finds out whether an event loop still runs, by giving it a function to run.
class LoopProbe {
 public:
  explicit LoopProbe(boost::asio::io_context& loop) : loop_(loop) {}

  // True for the first call, and if the loop has run the function of the former call that returned true. The loop must
  // have ended before the probe is destroyed.
  bool answered() {
    if (!answered_.exchange(false)) return false;
    boost::asio::post(loop_, [this] { answered_ = true; });
    return true;
  }

 private:
  boost::asio::io_context& loop_;
  std::atomic<bool> answered_ = true;
};

}  // namespace guildhall
