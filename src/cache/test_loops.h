#pragma once

#include <array>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/packaged_task.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_future.hpp>
#include <chrono>
#include <future>
#include <thread>

#include "base/failure.h"
#include "base/task.h"

namespace guildhall {

// Two loops on their own threads, as a server has them.
class TestLoops {
 public:
  ~TestLoops() { stop(); }

  void stop() {
    for (Loop& loop : loops_) {
      loop.context.stop();
      if (loop.thread.joinable()) loop.thread.join();
    }
  }

  boost::asio::io_context& operator[](std::size_t i) { return loops_[i].context; }

  // Starts a coroutine function on a loop.
  template <class F>
  auto start(std::size_t loop, F body) {
    return boost::asio::co_spawn(loops_[loop].context, std::move(body), boost::asio::use_future);
  }

  template <class F>
  auto run(std::size_t loop, F body) {
    return start(loop, std::move(body)).get();
  }

  // Calls a plain function on the loop's thread: handles are opened and closed there while the loop runs.
  template <class F>
  void call(std::size_t loop, F body) {
    boost::asio::post(loops_[loop].context, std::packaged_task<void()>(std::move(body))).get();
  }

 private:
  struct Loop {
    boost::asio::io_context context{1};
    boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work{context.get_executor()};
    std::thread thread{[this] { context.run(); }};
  };
  std::array<Loop, 2> loops_;
};

// Waits for what other threads, time or a server will bring about.
template <class Condition>
bool eventually(Condition condition) {
  const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > give_up) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return true;
}

// Whether the work ended with Failure unavailable.
template <class Work>
bool is_unavailable(Work work) {
  try {
    work();
    return false;
  } catch (const Failure& failure) {
    return failure.kind == Failure::Kind::unavailable;
  }
}

}  // namespace guildhall
