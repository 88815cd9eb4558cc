#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

#include "base/function_ref.h"
#include "base/task.h"

namespace guildhall {

// Threads for work that blocks: password hashing, calls to other servers. Each thread is started when it is first
// needed. The pool must be destroyed before the loops whose coroutines use it.
class WorkerPool {
 public:
  // How the system shares the cores between the pool's threads and the others.
  enum class Priority { normal, low };
  WorkerPool(int threads, std::size_t queued_max, Priority priority = Priority::normal);

  // Waits for the jobs that are running. Queued jobs end with Failure unavailable on their own loops.
  ~WorkerPool();

  // Runs the work on a thread of the pool and resumes the caller on its own loop with the result or the
  // exception. The pool serves sources (client addresses, for example) in turn. When queued_max jobs are waiting, the
  // newest job of the source with the most jobs, which may be this one, ends with Failure unavailable.
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

  // The callable must live until the task ends; run() keeps it in its coroutine frame.
  Task<> execute(FunctionRef<void()> work, std::string_view source);

  std::unique_ptr<Core> core_;
};

}  // namespace guildhall
