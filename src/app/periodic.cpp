#include "app/periodic.h"

namespace guildhall {

Periodic::Periodic(Metrics& metrics, std::string_view job, std::chrono::milliseconds pause, Work work)
    : failures_(metrics, job), pause_(pause), work_(std::move(work)), thread_([this] { run(); }) {}

Periodic::~Periodic() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  thread_.join();
}

bool Periodic::wait_for_next() {
  std::unique_lock lock(mutex_);
  return !wake_.wait_for(lock, pause_, [this] { return stopping_; });
}

void Periodic::run() {
  while (wait_for_next()) {
    try {
      work_(failures_);
    } catch (const std::exception& error) {
      failures_.record({}, error.what());
    }
  }
}

}  // namespace guildhall
