#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>

#include "app/config.h"
#include "storage/storage.h"

namespace guildhall {

// Forgets what has outlived its use, a little at a time, on a thread of its own. Safe on any number of nodes.
class Maintenance {
 public:
  Maintenance(Storage& storage, const Config& config);
  ~Maintenance();

 private:
  void work();
  void forget_a_kind(FunctionRef<std::int64_t(Tx&)> forget);
  bool wait_for_next();

  Storage& storage_;
  const Config& config_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace guildhall
