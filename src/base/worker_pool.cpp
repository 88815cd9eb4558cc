#include "base/worker_pool.h"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <condition_variable>
#include <mutex>
#include <sys/resource.h>
#include <system_error>
#include <thread>
#include <vector>

#include "base/failure.h"
#include "base/fair_queue.h"
#include "base/trace.h"

namespace guildhall {
namespace asio = boost::asio;

namespace {

constexpr int low_niceness = 10;  // about a tenth of a core that other threads also want

using Executor = asio::io_context::executor_type;
using Token = asio::use_awaitable_t<Executor>;
using Resume = asio::async_result<Token, void(std::exception_ptr)>::handler_type;

// Owns the waiting coroutine through its resume handler, so that the frame that contains the work lives until the work
// is done.
struct Job {
  FunctionRef<void()> work;
  Resume resume;
  asio::executor_work_guard<Executor> loop;  // keeps the loop running until the job has finished

  void finish(std::exception_ptr error) && {
    const Executor executor = loop.get_executor();
    asio::post(executor, [resume = std::move(resume), loop = std::move(loop), error = std::move(error)]() mutable {
      resume(std::move(error));
    });
  }
};

}  // namespace

class WorkerPool::Core {
 public:
  Core(int threads, std::size_t queued_max, Priority priority)
      : threads_max_(static_cast<std::size_t>(threads)), priority_(priority), queue_(queued_max) {}

  ~Core() {
    {
      const std::lock_guard lock(mutex_);
      stopping_ = true;
      while (!queue_.empty()) refuse(queue_.pop(), "The server is shutting down.");
    }
    wake_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }

  void add(std::string_view source, Job job) {
    {
      const std::lock_guard lock(mutex_);
      if (stopping_) return refuse(std::move(job), "The server is shutting down.");
      auto refused = queue_.push(source, std::move(job));
      if (refused) return refuse(*std::move(refused), "The server is too busy; please try again.");
      if (queue_.size() > idle_ && threads_.size() < threads_max_) start_thread();
    }
    wake_.notify_one();
  }

 private:
  // Only posts to the job's loop, so it may be called under the lock.
  static void refuse(Job job, const char* sentence) {
    std::move(job).finish(std::make_exception_ptr(unavailable(sentence)));
  }

  // If the system has no thread left, the job waits for the running ones.
  void start_thread() {
    try {
      threads_.emplace_back([this] { serve(); });
    } catch (const std::system_error&) {
      if (threads_.empty()) refuse(queue_.pop(), "The server is too busy; please try again.");
    }
  }

  void serve() {
    if (priority_ == Priority::low) ::setpriority(PRIO_PROCESS, 0, low_niceness);  // of this thread only, on Linux
    std::unique_lock lock(mutex_);
    while (true) {
      ++idle_;
      wake_.wait(lock, [this] { return stopping_ || !queue_.empty(); });
      --idle_;
      if (queue_.empty()) return;
      Job job = queue_.pop();
      lock.unlock();
      std::exception_ptr error;
      try {
        job.work();
      } catch (...) {
        error = std::current_exception();
      }
      std::move(job).finish(std::move(error));
      lock.lock();
    }
  }

  const std::size_t threads_max_;
  const Priority priority_;
  std::mutex mutex_;
  std::condition_variable wake_;
  FairQueue<Job> queue_;
  bool stopping_ = false;
  std::size_t idle_ = 0;              // threads that wait for a job
  std::vector<std::thread> threads_;  // as many as were needed at the same time so far
};

WorkerPool::WorkerPool(int threads, std::size_t queued_max, Priority priority)
    : core_(std::make_unique<Core>(threads, queued_max, priority)) {}

WorkerPool::~WorkerPool() = default;

Task<> WorkerPool::execute(FunctionRef<void()> work, std::string_view source) {
  const Executor executor = co_await asio::this_coro::executor;
  Token token;
  const trace::Suspension suspension;
  const auto traced = [&] {
    const trace::Scope scope(suspension.kept());
    work();
  };
  co_await asio::async_initiate<Token, void(std::exception_ptr)>(
      [this, &traced, source, executor](Resume resume) {
        core_->add(source, Job{traced, std::move(resume), asio::make_work_guard(executor)});
      },
      token);
}

}  // namespace guildhall
