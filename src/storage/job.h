#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <chrono>
#include <exception>
#include <optional>
#include <vector>

#include "base/function_ref.h"
#include "storage/database.h"

// How both engines take work off a loop and give it back. Internal to this room.
namespace guildhall {

using LoopExecutor = boost::asio::io_context::executor_type;
using Resume =
    boost::asio::async_result<boost::asio::use_awaitable_t<LoopExecutor>, void(std::exception_ptr)>::handler_type;

// A coroutine that waits for an engine. It stands in that coroutine's frame and so dies when the coroutine
// resumes.
struct Suspended {
  std::optional<Resume> resume;
  std::exception_ptr error;
};

// Awaited on the loop: suspends until deliver(). Nothing may be delivered before the await has begun.
Task<> wait_for(Suspended& suspended);

// Coroutines to be resumed on their loop. Those that were not resumed when this is destroyed (their loop is
// gone) are destroyed with it.
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

// Whoever waits for jobs: a loop, or a thread in write_now().
class Waiter {
 public:
  virtual ~Waiter() = default;
  // From any thread. The jobs must not be touched after this call.
  virtual void finished(const std::vector<Job*>& jobs) = 0;
  // True when nobody is interested any more, so that a job which has not begun need not.
  virtual bool gone() const = 0;
};

// A transaction on its way to an engine's thread and back.
struct Job : Suspended {
  enum class Kind { write, read };

  Job(Kind kind, FunctionRef<void(Tx&)> body, Waiter& waiter) : kind(kind), body(body), waiter(waiter) {}

  Kind kind;
  FunctionRef<void(Tx&)> body;
  Waiter& waiter;
  std::chrono::steady_clock::time_point queued_at{};
  bool repeated = false;  // the connection broke before its commit, and it was queued once more
};

// A body is run at most this often when it meets a WriteRace or a serialization failure.
constexpr int attempts_max = 10;

}  // namespace guildhall
