#include "storage/job_queue.h"

#include <algorithm>

#include "base/failure.h"

namespace guildhall {
namespace {

class ThreadWaiter : public Waiter {
 public:
  void finished(const std::vector<Job*>& /*jobs*/) override {
    std::lock_guard lock(mutex_);
    done_ = true;
    // Notified under the lock: the waiting thread destroys this object as soon as it has seen `done_`.
    changed_.notify_one();
  }

  bool is_closing() const override { return false; }

  void wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return done_; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool done_ = false;
};

}  // namespace

void JobQueue::push(Job& job) {
  bool backlog = false;
  {
    std::lock_guard lock(mutex_);
    if (closed_) throw unavailable("The service is shutting down.");
    if (waiting_.size() >= waiting_max_) throw unavailable("Too many requests wait for the database.");
    job.queued_at = std::chrono::steady_clock::now();
    waiting_.push_back(&job);
    backlog = has_backlog();
  }
  notify_of_job(backlog);
}

void JobQueue::push_front(Job& job) {
  bool backlog = false;
  {
    std::lock_guard lock(mutex_);
    waiting_.push_front(&job);
    backlog = has_backlog();
  }
  notify_of_job(backlog);
}

void JobQueue::notify_of_job(bool backlog) {
  changed_.notify_one();
  if (backlog) backlog_.notify_one();
}

bool JobQueue::wait_for_backlog() {
  std::unique_lock lock(mutex_);
  backlog_.wait(lock, [&] { return closed_ || has_backlog(); });
  return !waiting_.empty();
}

std::vector<Job*> JobQueue::take_waiting(std::chrono::milliseconds at_least) {
  std::lock_guard lock(mutex_);
  const auto before = std::chrono::steady_clock::now() - at_least;
  std::vector<Job*> taken;
  std::erase_if(waiting_, [&](Job* job) {
    if (job->queued_at > before) return false;
    taken.push_back(job);
    return true;
  });
  return taken;
}

bool JobQueue::pause(std::chrono::milliseconds time) {
  std::unique_lock lock(mutex_);
  return !closing_.wait_for(lock, time, [&] { return closed_; });
}

Job* JobQueue::pop() {
  std::unique_lock lock(mutex_);
  ++idle_;
  changed_.wait(lock, [&] { return closed_ || !waiting_.empty(); });
  --idle_;
  if (waiting_.empty()) return nullptr;
  Job* job = waiting_.front();
  waiting_.pop_front();
  return job;
}

std::vector<Job*> JobQueue::pop_some(std::size_t count, std::optional<std::chrono::milliseconds> timeout) {
  std::unique_lock lock(mutex_);
  auto ready = [&] { return closed_ || !waiting_.empty(); };
  if (timeout) {
    changed_.wait_for(lock, *timeout, ready);
  } else {
    changed_.wait(lock, ready);
  }
  auto end = waiting_.begin() + static_cast<std::ptrdiff_t>(std::min(count, waiting_.size()));
  std::vector<Job*> some(waiting_.begin(), end);
  waiting_.erase(waiting_.begin(), end);
  return some;
}

void JobQueue::close() {
  {
    std::lock_guard lock(mutex_);
    closed_ = true;
  }
  changed_.notify_all();
  backlog_.notify_all();
  closing_.notify_all();
}

bool JobQueue::drained() const {
  std::lock_guard lock(mutex_);
  return closed_ && waiting_.empty();
}

std::size_t JobQueue::length() const {
  std::lock_guard lock(mutex_);
  return waiting_.size();
}

void finish_jobs(std::span<Job* const> jobs) {
  std::vector<std::pair<Waiter*, std::vector<Job*>>> by_waiter;
  for (Job* job : jobs) {
    auto found = std::ranges::find(by_waiter, &job->waiter, &std::pair<Waiter*, std::vector<Job*>>::first);
    if (found == by_waiter.end()) found = by_waiter.insert(found, {&job->waiter, {}});
    found->second.push_back(job);
  }
  for (auto& [waiter, of_waiter] : by_waiter) waiter->finished(of_waiter);
}

void refuse_jobs(const std::vector<Job*>& jobs, std::string_view sentence) {
  for (Job* job : jobs) job->error = std::make_exception_ptr(unavailable(std::string(sentence)));
  finish_jobs(jobs);
}

void run_and_wait(JobQueue& queue, Job::Kind kind, FunctionRef<void(Tx&)> body) {
  ThreadWaiter waiter;
  Job job(kind, body, waiter);
  queue.push(job);
  waiter.wait();
  if (job.error) std::rethrow_exception(job.error);
}

}  // namespace guildhall
