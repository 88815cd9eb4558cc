#include "storage/loop_inbox.h"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>

namespace guildhall {

namespace asio = boost::asio;

Task<> LoopInbox::run(JobQueue& queue, Job::Kind kind, FunctionRef<void(Tx&)> body) {
  Job job(kind, body, *this);
  auto work = asio::make_work_guard(loop_);
  // Made before the job leaves, so that nothing can throw between that and the suspension. The job cannot
  // come back before: its way back leads through this very loop.
  Task<> back = wait_for(job);
  enter();
  try {
    queue.push(job);
  } catch (...) {
    leave(1);
    throw;
  }
  co_await std::move(back);
}

void LoopInbox::finished(const std::vector<Job*>& jobs) {
  asio::post(loop_, Delivery({jobs.begin(), jobs.end()}));
  leave(jobs.size());
}

void LoopInbox::close() {
  closing_ = true;
  std::unique_lock lock(mutex_);
  idle_.wait(lock, [&] { return under_way_ == 0; });
}

void LoopInbox::enter() {
  std::lock_guard lock(mutex_);
  ++under_way_;
}

void LoopInbox::leave(std::size_t count) {
  std::lock_guard lock(mutex_);
  under_way_ -= count;
  // Under the lock: close() lets this object be destroyed as soon as it has seen the zero.
  if (under_way_ == 0) idle_.notify_all();
}

}  // namespace guildhall
