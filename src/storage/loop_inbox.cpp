#include "storage/loop_inbox.h"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>

#include "base/trace.h"

namespace guildhall {

namespace asio = boost::asio;

Task<> LoopInbox::run(JobQueue& queue, Job::Kind kind, FunctionRef<void(Tx&)> body) {
  const trace::SpanTimer span(kind == Job::Kind::write ? "write transaction" : "read transaction",
                              trace::Span::Kind::internal);
  Job job(kind, body, *this);
  auto work = asio::make_work_guard(loop_);
  // Created before the job is queued, so that nothing can throw between queueing and suspending. The job cannot finish
  // before the coroutine is suspended, because finished() posts to this loop.
  Task<> back = wait_for(job);
  enter();
  try {
    queue.push(job);
  } catch (...) {
    leave(1);
    throw;
  }
  const trace::Suspension suspension;
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
  // Notified under the lock: after close() has seen zero, this object may be destroyed.
  if (under_way_ == 0) idle_.notify_all();
}

}  // namespace guildhall
