#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <vector>

#include "storage/job.h"

namespace guildhall {

// Jobs that wait for an engine's threads, first come, first served.
class JobQueue {
 public:
  explicit JobQueue(int waiting_max) : waiting_max_(static_cast<std::size_t>(waiting_max)) {}

  // Throws Failure unavailable when too many wait already, or the engine is closing.
  void push(Job& job);

  // Waits for a job; nothing once the queue is closed and empty.
  Job* pop();

  // Waits until there are jobs, then hands over at most `count`. Gives up with an empty list after
  // `patience`, or once the queue is closed and empty.
  std::vector<Job*> pop_some(std::size_t count, std::optional<std::chrono::milliseconds> patience);

  // No more jobs are taken in; what is queued is still handed out.
  void close();
  bool drained() const;  // closed and empty

 private:
  const std::size_t waiting_max_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Job*> waiting_;
  bool closed_ = false;
};

// Queues a job and blocks the calling thread until it is done; throws what the job ended with.
void run_and_wait(JobQueue& queue, Job::Kind kind, FunctionRef<void(Tx&)> body);

}  // namespace guildhall
