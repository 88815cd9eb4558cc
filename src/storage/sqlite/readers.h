#pragma once

#include <thread>
#include <vector>

#include "storage/job_queue.h"

namespace guildhall {

// A few threads for reads that are too long for a loop, each job on one snapshot.
class SqliteReaders {
 public:
  SqliteReaders(std::string path, int threads, int queued_max);
  // Finishes what is queued.
  ~SqliteReaders();

  JobQueue& queue() { return queue_; }

 private:
  void work();

  JobQueue queue_;
  std::string path_;
  std::vector<std::thread> threads_;
};

}  // namespace guildhall
