#pragma once

#include <condition_variable>
#include <mutex>
#include <vector>

#include "storage/postgres/session.h"

namespace guildhall {

// Jobs whose writes wait to be committed. The thread that adds a job commits it together with all that wait, unless
// another thread is committing: that one takes it when it has finished. So a single job never waits for others, and
// under load one commit contains many.
class PgCommitGroup {
 public:
  // Blocks while too many wait.
  void add(UncommittedJob job);

  // Returns jobs that the caller has to commit, and then call ended(). Returns none when none wait or others are
  // committing.
  std::vector<UncommittedJob> take();
  void ended();

  // Returns all jobs that wait, for a caller that cannot commit them.
  std::vector<UncommittedJob> take_all();

 private:
  std::vector<UncommittedJob> take_first(std::size_t count);

  std::mutex mutex_;
  std::condition_variable taken_;
  std::vector<UncommittedJob> waiting_;
  int committing_ = 0;
};

}  // namespace guildhall
