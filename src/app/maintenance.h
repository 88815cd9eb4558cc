#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>

#include "storage/storage.h"

namespace guildhall {

// Forgets what has outlived its use, a little at a time, on a thread of its own. Safe on any number of nodes.
class Maintenance {
 public:
  explicit Maintenance(Storage& storage);
  ~Maintenance();

 private:
  void work();
  bool wait_for_next();

  Storage& storage_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace guildhall
