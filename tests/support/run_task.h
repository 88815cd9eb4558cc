#pragma once

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <future>
#include <thread>
#include <type_traits>
#include <utility>

#include "base/task.h"

namespace guildhall::test {

// An event loop on a thread of its own; the server has one for each core. Objects that use the loop must be destroyed
// before it.
class LoopThread {
 public:
  LoopThread() : thread_([this] { loop_.run(); }) {}
  LoopThread(const LoopThread&) = delete;
  LoopThread& operator=(const LoopThread&) = delete;
  ~LoopThread() { stop(); }

  boost::asio::io_context& context() { return loop_; }

  // Stops the loop at once; coroutines that still wait are destroyed with it.
  void stop() {
    loop_.stop();
    if (thread_.joinable()) thread_.join();
  }

  // Runs `make()`, which returns a Task, on the loop. Returns a future of its result.
  template <class Make>
  auto start(Make make) {
    using Result = typename std::invoke_result_t<Make&>::value_type;
    std::promise<Result> promise;
    auto future = promise.get_future();
    boost::asio::co_spawn(loop_, fulfil<Result>(std::move(make), std::move(promise)), boost::asio::detached);
    return future;
  }

  // Like start(), but waits for the result of the Task and returns it or rethrows its exception.
  template <class Make>
  auto run(Make make) {
    return start(std::move(make)).get();
  }

 private:
  template <class Result, class Make>
  static Task<> fulfil(Make make, std::promise<Result> promise) {
    try {
      if constexpr (std::is_void_v<Result>) {
        co_await make();
        promise.set_value();
      } else {
        promise.set_value(co_await make());
      }
    } catch (...) {
      promise.set_exception(std::current_exception());
    }
  }

  boost::asio::io_context loop_{1};
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_ = make_work_guard(loop_);
  std::thread thread_;
};

// Runs one Task on a fresh loop: `int n = run_task([&]() -> Task<int> { … });`
template <class Make>
auto run_task(Make make) {
  LoopThread loop;
  return loop.run(std::move(make));
}

}  // namespace guildhall::test
