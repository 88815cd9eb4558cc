#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace guildhall {

// Repeats work on a thread of its own, with a pause before each run. An exception is logged, and the work runs again
// after the next pause.
class Periodic {
 public:
  Periodic(std::string name, std::chrono::milliseconds pause, std::function<void()> work);
  ~Periodic();  // waits for a run that has begun

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
