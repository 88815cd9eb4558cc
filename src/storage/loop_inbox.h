#pragma once

#include <atomic>
#include <boost/asio/io_context.hpp>
#include <condition_variable>
#include <mutex>

#include "storage/job_queue.h"

namespace guildhall {

// A loop as an engine's threads see it: jobs leave through run() and come back through finished(), one post
// for all that are handed in together.
class LoopInbox : public Waiter {
 public:
  explicit LoopInbox(boost::asio::io_context& loop) : loop_(loop) {}
  ~LoopInbox() override { close(); }

  // Awaited on the loop. Keeps the loop from running out of work meanwhile.
  Task<> run(JobQueue& queue, Job::Kind kind, FunctionRef<void(Tx&)> body);

  void finished(const std::vector<Job*>& jobs) override;
  bool gone() const override { return closing_.load(std::memory_order_relaxed); }

  // Waits until no engine's thread uses the loop or a frame of its coroutines. Idempotent.
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
