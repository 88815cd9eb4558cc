#include "base/worker_pool.h"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

#include "base/failure.h"

namespace guildhall {
namespace asio = boost::asio;

namespace {

using Executor = asio::io_context::executor_type;
using Token = asio::use_awaitable_t<Executor>;
using Resume = asio::async_result<Token, void(std::exception_ptr)>::handler_type;

// Owns the waiting coroutine through its resume handler, so the frame that holds the work lives until it is
// done.
struct Job {
  FunctionRef<void()> work;
  Resume resume;
  asio::executor_work_guard<Executor> loop;  // keeps the loop running while its work is here

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
  Core(int threads, std::size_t queued_max) : queued_max_(queued_max) {
    for (int i = 0; i < threads; ++i) threads_.emplace_back([this] { serve(); });
  }

  ~Core() {
    std::deque<Job> dropped;
    {
      const std::lock_guard lock(mutex_);
      stopping_ = true;
      dropped.swap(queue_);
    }
    wake_.notify_all();
    for (Job& job : dropped) {
      std::move(job).finish(std::make_exception_ptr(unavailable("The server is shutting down.")));
    }
    for (std::thread& thread : threads_) thread.join();
  }

  // False when the queue is full; the job is then untouched.
  bool add(Job& job) {
    {
      const std::lock_guard lock(mutex_);
      if (stopping_ || queue_.size() >= queued_max_) return false;
      queue_.push_back(std::move(job));
    }
    wake_.notify_one();
    return true;
  }

 private:
  void serve() {
    std::unique_lock lock(mutex_);
    while (true) {
      wake_.wait(lock, [this] { return stopping_ || !queue_.empty(); });
      if (queue_.empty()) return;
      Job job = std::move(queue_.front());
      queue_.pop_front();
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

  const std::size_t queued_max_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<Job> queue_;
  bool stopping_ = false;
  std::vector<std::thread> threads_;
};

WorkerPool::WorkerPool(int threads, std::size_t queued_max) : core_(std::make_unique<Core>(threads, queued_max)) {}

WorkerPool::~WorkerPool() = default;

Task<> WorkerPool::execute(FunctionRef<void()> work) {
  const Executor executor = co_await asio::this_coro::executor;
  Token token;
  co_await asio::async_initiate<Token, void(std::exception_ptr)>(
      [this, work, executor](Resume resume) {
        Job job{work, std::move(resume), asio::make_work_guard(executor)};
        if (!core_->add(job)) {
          std::move(job).finish(std::make_exception_ptr(unavailable("The server is too busy; please try again.")));
        }
      },
      token);
}

}  // namespace guildhall
