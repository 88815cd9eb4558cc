#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "storage/postgres/workers.h"

namespace guildhall {

// A place in the log of the primary. Two places can be compared only if they are of the same timeline: after a
// fail-over a new one begins.
struct PgPosition {
  std::string in_log;
  std::string timeline;
};

// The statement that returns the primary's position, after everything that was committed before.
extern const Sql position_sql;
PgPosition read_position(const Row& row);

enum class PgReplicaState { replayed, behind, not_a_replica, of_another_database };

// A streaming replica, with threads of its own. A read may run on it when it has replayed the position that the primary
// had when the read was asked for. Then the read returns what it would have returned on the primary at that moment.
class PgReplica {
 public:
  // `on_primary` runs a reading transaction on the primary. It is called on a thread of this object.
  PgReplica(const StorageOptions& options, std::function<void(FunctionRef<void(Tx&)>)> on_primary);
  ~PgReplica();

  JobQueue& queue() { return workers_.queue(); }

  // False when the replica did not answer a moment ago, or was behind by more than a second.
  bool is_usable() const { return usable_.load(std::memory_order_relaxed); }

  // To be called in a transaction on the replica before its first statement. Waits for a moment until the replica has
  // replayed the position. Throws Behind if it has not.
  void require(PgTx& tx, const PgPosition& position);
  class Behind : public std::exception {};

  void count_read(bool on_replica) { (on_replica ? reads_here_ : reads_on_primary_).add(); }
  void begin_stop() { silence_.shorten(); }
  std::vector<std::string> warnings() const;

 private:
  using Time = std::chrono::steady_clock::time_point;

  Query state_query(const PgPosition& position) const;

  void watch();
  // Returns the problem with the replica; empty if there is none.
  std::string look();
  bool failed_over();
  void await_position();
  PgReplicaState ask();
  void show(Metrics& metrics);
  double seconds_behind() const;

  const std::string url_;
  const std::function<void(FunctionRef<void(Tx&)>)> on_primary_;
  SilenceLimit silence_;
  PgWorkers workers_;
  Counter& reads_here_;
  Counter& reads_on_primary_;
  std::atomic<bool> usable_ = false;

  // Of the thread that watches the replica.
  SilenceLimit silence_of_watch_;
  std::optional<PgConnection> connection_;
  std::optional<PgPosition> awaited_;
  bool pooling_is_checked_ = false;

  mutable std::mutex mutex_;  // protects the following members
  std::condition_variable stopping_;
  bool stopped_ = false;
  std::string database_;  // identifies the database of the primary and its schema
  std::string problem_;   // a sentence for the operator; empty if there is none
  Time awaited_since_{};
  std::thread thread_;
};

}  // namespace guildhall
