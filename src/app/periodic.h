#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace guildhall {

// Does something again and again on a thread of its own, with a pause before each time. What it throws is logged, and
// tried again after the next pause.
class Periodic {
 public:
  Periodic(std::string name, std::chrono::milliseconds pause, std::function<void()> work);
  ~Periodic();  // waits for work that is under way

 private:
  void run();
  bool wait_for_next();

  std::string name_;
  std::chrono::milliseconds pause_;
  std::function<void()> work_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace guildhall
