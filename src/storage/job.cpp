#include "storage/job.h"

namespace guildhall {

namespace asio = boost::asio;

Task<> wait_for(Suspended& suspended) {
  static constexpr asio::use_awaitable_t<LoopExecutor> token;
  return asio::async_initiate<const asio::use_awaitable_t<LoopExecutor>, void(std::exception_ptr)>(
      [&suspended](Resume resume) { suspended.resume.emplace(std::move(resume)); }, token);
}

Delivery::~Delivery() {
  while (next_ < finished_.size()) {
    // Destroying the handler destroys the coroutine's frame, and the Suspended in it.
    Resume dropped = *std::exchange(finished_[next_++]->resume, std::nullopt);
  }
}

void Delivery::operator()() {
  while (next_ < finished_.size()) {
    Suspended* suspended = finished_[next_++];
    // Both are moved out first, because resuming destroys the frame that contains them.
    Resume resume = *std::exchange(suspended->resume, std::nullopt);
    std::exception_ptr error = std::move(suspended->error);
    std::move(resume)(std::move(error));
  }
}

}  // namespace guildhall
