#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

#include "base/job_failures.h"

namespace guildhall {

// Repeats the work of a background job on a thread of its own, with a pause before each run. An exception is recorded
// as a failure of the job, and the work runs again after the next pause.
class Periodic {
 public:
  using Work = std::function<void(const JobFailures&)>;

  // `job` is the name in the metric and in the log.
  Periodic(Metrics& metrics, std::string_view job, std::chrono::milliseconds pause, Work work);
  ~Periodic();  // waits for a run that has begun

 private:
  void run();
  bool wait_for_next();

  JobFailures failures_;
  std::chrono::milliseconds pause_;
  Work work_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace guildhall
