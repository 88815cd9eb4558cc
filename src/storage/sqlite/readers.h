#pragma once

#include <thread>
#include <vector>

#include "storage/job_queue.h"

namespace guildhall {

// The threads that run reading transactions which would take too long on a loop, each on one snapshot.
class SqliteReaders {
 public:
  SqliteReaders(std::string path, int threads, int queued_max);
  // Finishes the queued jobs.
  ~SqliteReaders();

  JobQueue& queue() { return queue_; }

 private:
  void work();

  JobQueue queue_;
  std::string path_;
  std::vector<std::thread> threads_;
};

}  // namespace guildhall
