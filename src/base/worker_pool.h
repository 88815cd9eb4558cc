#pragma once

#include <memory>
#include <optional>
#include <string_view>
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
  // exception. The pool takes turns between sources (client addresses, say). When queued_max jobs wait already, the
  // newest job of the source that has the most, which may be this one, ends with Failure unavailable.
  template <class F>
  Task<std::invoke_result_t<F&>> run(F work, std::string_view source = {}) {
    using Result = std::invoke_result_t<F&>;
    static_assert(!std::is_reference_v<Result>, "return a value: what is referred to may not outlive the work");
    if constexpr (std::is_void_v<Result>) {
      co_await execute(work, source);
    } else {
      std::optional<Result> result;
      auto keep = [&] { result.emplace(work()); };
      co_await execute(keep, source);
      co_return std::move(*result);
    }
  }

 private:
  class Core;

  // The callable must live until the task ends: it stands in the frame of run().
  Task<> execute(FunctionRef<void()> work, std::string_view source);

  std::unique_ptr<Core> core_;
};

}  // namespace guildhall
