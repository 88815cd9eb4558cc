#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>

#include "app/config.h"
#include "storage/storage.h"

namespace guildhall {

// Deletes expired rows every ten minutes, in small transactions, on a thread of its own. Any number of nodes may run
// it.
class Maintenance {
 public:
  Maintenance(Storage& storage, const Config& config);
  ~Maintenance();

 private:
  void work();
  void delete_in_steps(FunctionRef<std::int64_t(Tx&)> delete_rows);
  void sweep_media_folder(Instant at);
  bool wait_for_next();

  Storage& storage_;
  const Config& config_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace guildhall
