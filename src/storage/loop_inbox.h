#pragma once

#include <atomic>
#include <boost/asio/io_context.hpp>
#include <condition_variable>
#include <mutex>

#include "storage/job_queue.h"

namespace guildhall {

// Connects a loop to the threads of an engine: run() queues a job, and finished() resumes the coroutines of all jobs of
// one call with one post to the loop.
class LoopInbox : public Waiter {
 public:
  explicit LoopInbox(boost::asio::io_context& loop) : loop_(loop) {}
  ~LoopInbox() override { close(); }

  // Awaited on the loop. Keeps the loop running until the job has ended.
  Task<> run(JobQueue& queue, Job::Kind kind, FunctionRef<void(Tx&)> body);

  void finished(const std::vector<Job*>& jobs) override;
  bool is_closing() const override { return closing_.load(std::memory_order_relaxed); }

  // Waits until no thread of an engine uses the loop or a frame of its coroutines. Idempotent.
  void close();

 private:
  void enter();
  void leave(std::size_t count);

  boost::asio::io_context& loop_;
  std::atomic<bool> closing_ = false;
  std::mutex mutex_;
  std::condition_variable idle_;
  std::size_t under_way_ = 0;
};

}  // namespace guildhall
