#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "storage/job.h"

namespace guildhall {

// The jobs that wait for the threads of an engine, first in, first out.
class JobQueue {
 public:
  explicit JobQueue(int waiting_max) : waiting_max_(static_cast<std::size_t>(waiting_max)) {}

  // Throws Failure unavailable when too many jobs are waiting, or the engine is closing.
  void push(Job& job);

  // Puts back a job from pop(), so that another thread runs it. Never refused.
  void push_front(Job& job);

  // Waits for a job. Returns null once the queue is closed and empty.
  Job* pop();

  // Waits until there are jobs, then returns at most `count` of them. Returns an empty list after `timeout`, or once
  // the queue is closed and empty.
  std::vector<Job*> pop_some(std::size_t count, std::optional<std::chrono::milliseconds> timeout);

  // Waits until there are more jobs than threads waiting in pop(). Returns false once the queue is closed and empty.
  bool wait_for_backlog();

  // Removes and returns the jobs that have waited for at least this time.
  std::vector<Job*> take_waiting(std::chrono::milliseconds at_least);

  // Waits for this time, or until the queue is closed. Returns false once it is closed.
  bool pause(std::chrono::milliseconds time);

  // Refuses further jobs. Those that are queued are still returned by pop().
  void close();
  bool drained() const;  // closed and empty
  std::size_t length() const;

 private:
  void notify_of_job(bool backlog);
  bool has_backlog() const { return waiting_.size() > idle_; }

  const std::size_t waiting_max_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::condition_variable backlog_;
  std::condition_variable closing_;
  std::deque<Job*> waiting_;
  std::size_t idle_ = 0;  // threads that wait in pop()
  bool closed_ = false;
};

// Passes jobs that have ended back to their owners. Calls each owner once, so that a loop is woken once for all of
// them.
void finish_jobs(std::span<Job* const> jobs);

// Ends jobs that have not run with Failure unavailable.
void refuse_jobs(const std::vector<Job*>& jobs, std::string_view sentence);

// Queues a job and blocks the calling thread until it has ended. Rethrows its error.
void run_and_wait(JobQueue& queue, Job::Kind kind, FunctionRef<void(Tx&)> body);

}  // namespace guildhall
