#pragma once

#include <string>
#include <thread>
#include <vector>

#include "storage/job_queue.h"
#include "storage/last_commit.h"
#include "storage/postgres/back_off.h"
#include "storage/postgres/session.h"
#include "storage/storage.h"

namespace guildhall {

// The threads that run transactions, each with a connection of its own, made when first needed and again when broken.
// A thread without a connection takes no job: jobs wait for the threads that have one. Only when none has one, and
// none can be made, the waiting jobs are refused.
class PgWorkers {
 public:
  PgWorkers(const StorageOptions& options, const SilenceLimit& silence);
  // Finishes what is queued.
  ~PgWorkers();

  JobQueue& queue() { return queue_; }
  const LastCommit& last_commit() const { return last_commit_; }

 private:
  void work();
  bool connect(PgSession& session);
  bool may_connect();
  void connecting_ended(bool connected);
  void wait_or_refuse();
  void run(PgSession& session, Job& job);
  void lost_connection(bool server_was_silent);
  void refuse_overdue();

  const std::string url_;
  const SilenceLimit& silence_;
  JobQueue queue_;
  LastCommit last_commit_;
  std::mutex mutex_;  // of what follows
  BackOff back_off_;
  int connected_ = 0;
  int connecting_ = 0;
  std::vector<std::thread> threads_;
};

}  // namespace guildhall
