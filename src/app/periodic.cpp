#include "app/periodic.h"

#include "base/log.h"

namespace guildhall {

Periodic::Periodic(std::string name, std::chrono::milliseconds pause, std::function<void()> work)
    : name_(std::move(name)), pause_(pause), work_(std::move(work)), thread_([this] { run(); }) {}

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
      work_();
    } catch (const std::exception& error) {
      log::warn("work failed; it will be tried again", {{"work", name_}, {"error", error.what()}});
    }
  }
}

}  // namespace guildhall
