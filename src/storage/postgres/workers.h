#pragma once

#include <string>
#include <thread>
#include <vector>

#include "storage/job_queue.h"
#include "storage/last_commit.h"
#include "storage/postgres/back_off.h"
#include "storage/postgres/commit_group.h"
#include "storage/storage.h"

namespace guildhall {

// The threads that run transactions, each with its own connection, which is made when it is first needed and again
// after it broke. A thread without a connection takes no job: jobs wait for the threads that have one. The waiting jobs
// are refused only when no thread has a connection and none can be made.
class PgWorkers {
 public:
  PgWorkers(const StorageOptions& options, SilenceLimit& silence);
  // Finishes the queued jobs.
  ~PgWorkers();

  JobQueue& queue() { return queue_; }
  const LastCommit& last_commit() const { return last_commit_; }

 private:
  void work();
  bool connect(PgSession& session);
  bool may_connect();
  void connecting_ended(bool connected);
  void wait_or_refuse();
  // Runs the job to its end, or leaves its commit to another thread.
  void run(PgSession& session, Job& job);
  void commit_waiting(PgSession& session);
  // If this fails and nothing was committed, the jobs run again, each for itself.
  void commit_together(PgSession& session, std::span<UncommittedJob> together);
  void run_singly(const PgSession& session, const std::vector<Job*>& jobs);
  void succeeded(const std::vector<Job*>& jobs);
  void failed(const PgSession& session, std::vector<Job*> jobs, std::exception_ptr error);
  void lost_connection(bool server_was_silent);
  void refuse_overdue();
  void show(Metrics& metrics);
  int connected();

  const std::string url_;
  SilenceLimit& silence_;
  TransactionMetrics metrics_;
  Counter& connection_failures_;
  Counter& round_trips_;
  std::atomic<int> busy_ = 0;
  JobQueue queue_;
  PgCommitGroup commit_group_;
  LastCommit last_commit_;
  std::mutex mutex_;  // protects the following members
  BackOff back_off_;
  int connected_ = 0;
  int connecting_ = 0;
  // Several threads tried at once, now and the last time. At a connection limit the server may then refuse all of them,
  // because it counts each; the next one tries alone.
  bool crowded_ = false;
  bool were_crowded_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace guildhall
