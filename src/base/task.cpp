#include "base/task.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "base/log.h"
#include "base/trace.h"

namespace guildhall {
namespace {

// Runs the work with a copy of the context of the request that started it, because the request ends earlier.
Task<> traced(Task<> work, trace::Context context) {
  const trace::Scope scope(&context);
  co_await std::move(work);
}

}  // namespace

Task<> pause_for(std::chrono::milliseconds time) {
  using Executor = boost::asio::io_context::executor_type;
  boost::asio::basic_waitable_timer<std::chrono::steady_clock, boost::asio::wait_traits<std::chrono::steady_clock>,
                                    Executor>
      timer(co_await boost::asio::this_coro::executor, time);
  const trace::Suspension suspension;
  co_await timer.async_wait(boost::asio::use_awaitable_t<Executor>());
}

void Background::start(Task<> work) {
  ++running_;
  if (trace::current != nullptr) work = traced(std::move(work), *trace::current);
  boost::asio::co_spawn(loop_, std::move(work), [this](const std::exception_ptr& failure) {
    --running_;
    try {
      if (failure) std::rethrow_exception(failure);
    } catch (const std::exception& error) {
      log::error("background work failed", {{"error", error.what()}});
    }
  });
}

}  // namespace guildhall
