#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <chrono>
#include <exception>
#include <optional>
#include <vector>

#include "base/function_ref.h"
#include "base/trace.h"
#include "storage/database.h"

// Carries transactions from a loop to the threads of an engine and back. Internal to this module.
namespace guildhall {

using LoopExecutor = boost::asio::io_context::executor_type;
using Resume =
    boost::asio::async_result<boost::asio::use_awaitable_t<LoopExecutor>, void(std::exception_ptr)>::handler_type;

// A coroutine that waits for an engine. This object is part of the coroutine's frame, so it may be destroyed as soon as
// the coroutine resumes.
struct Suspended {
  std::optional<Resume> resume;
  std::exception_ptr error;
};

// Awaited on the loop: suspends the coroutine until a Delivery resumes it, which must not happen before the await has
// begun.
Task<> wait_for(Suspended& suspended);

// Resumes coroutines on their loop. Those that have not been resumed when this object is destroyed, because the loop
// has ended, are destroyed with it.
class Delivery {
 public:
  explicit Delivery(std::vector<Suspended*> finished) : finished_(std::move(finished)) {}
  Delivery(Delivery&&) = default;
  Delivery(const Delivery&) = delete;
  Delivery& operator=(const Delivery&) = delete;
  ~Delivery();

  void operator()();

 private:
  std::vector<Suspended*> finished_;
  std::size_t next_ = 0;
};

struct Job;

// The owner of jobs: a loop, or a thread in write_now() or read_now().
class Waiter {
 public:
  virtual ~Waiter() = default;
  // Called from any thread. The engine must not use the jobs after this call.
  virtual void finished(const std::vector<Job*>& jobs) = 0;
  // True when the owner is closing, so that its jobs that have not begun are refused.
  virtual bool is_closing() const = 0;
};

// A transaction that is passed to a thread of an engine and back.
struct Job : Suspended {
  enum class Kind { write, read };

  Job(Kind kind, FunctionRef<void(Tx&)> body, Waiter& waiter) : kind(kind), body(body), waiter(waiter) {}

  // Runs the body on a thread of the engine, as part of the trace that the job was made in.
  void run(Tx& tx) const {
    const trace::Scope scope(trace);
    body(tx);
  }

  Kind kind;
  FunctionRef<void(Tx&)> body;
  Waiter& waiter;
  const trace::Context* trace = trace::current;  // of the caller, which waits for the job
  std::chrono::steady_clock::time_point queued_at{};
  std::vector<std::function<void()>> after_commit{};  // SQLite: kept until the commit of the batch
  bool repeated = false;    // it was queued a second time, because the connection broke before its commit
  bool runs_alone = false;  // PostgreSQL: not committed with others, because that has failed
};

// The number of times that a body is run when it ends with WriteRace or a serialization failure.
constexpr int attempts_max = 10;

}  // namespace guildhall
