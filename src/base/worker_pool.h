#pragma once

#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include "base/function_ref.h"
#include "base/task.h"

namespace guildhall {

// Threads for work that blocks: password hashing, calls to other services. Must be destroyed before the loops
// whose coroutines use it.
class WorkerPool {
 public:
  WorkerPool(int threads, std::size_t queued_max);

  // Finishes what is running. What is still queued ends with Failure unavailable on its own loop.
  ~WorkerPool();

  // Runs the work on a thread of the pool and resumes the caller on its own loop with the result or the
  // exception. Throws Failure unavailable at once when more than queued_max wait already.
  template <class F>
  Task<std::invoke_result_t<F&>> run(F work) {
    using Result = std::invoke_result_t<F&>;
    static_assert(!std::is_reference_v<Result>, "return a value: what is referred to may not outlive the work");
    if constexpr (std::is_void_v<Result>) {
      co_await execute(work);
    } else {
      std::optional<Result> result;
      auto keep = [&] { result.emplace(work()); };
      co_await execute(keep);
      co_return std::move(*result);
    }
  }

 private:
  class Core;

  // The callable must live until the task ends: it stands in the frame of run().
  Task<> execute(FunctionRef<void()> work);

  std::unique_ptr<Core> core_;
};

}  // namespace guildhall
