#pragma once

#include <atomic>
#include <mutex>
#include <optional>

#include "app/config.h"
#include "app/ops/backup/child_process.h"
#include "app/periodic.h"
#include "base/metrics.h"
#include "cache/cache.h"

namespace guildhall {

// Makes a backup at each time of BACKUP_SCHEDULE, and one at the start if the last was missed. A separate process makes
// it, with this process's environment, so that the server can stop at any time. Of several nodes that share a cache,
// one makes each backup; if it fails, it is tried again after five minutes. Without BACKUP_SCHEDULE it only looks for
// the newest backup, however it was made, so that the alert for old backups also holds for those of a timer.
class ScheduledBackups {
 public:
  ScheduledBackups(const Config& config, CacheEngine& cache, Metrics& metrics);
  ~ScheduledBackups();  // ends a backup that is running; the next start makes it again

 private:
  void look();
  void make_if_due(const JobFailures& failures);
  void make(Instant due, const JobFailures& failures);
  std::string run();
  std::string key_of(Instant due) const;

  // The state of the backup of that time, known to all nodes: absent, "running", "done" or "failed".
  std::optional<std::string> claim(const std::string& key);
  void set_state(const std::string& key, const char* state, std::chrono::milliseconds ttl);

  const Config& config_;
  CacheEngine& cache_;
  Counter& failures_;
  std::atomic<std::int64_t> newest_ms_ = 0;  // 0: none is known
  Instant handled_;                          // the time whose backup exists
  Instant next_try_;
  std::mutex mutex_;  // for the next two
  ChildProcess* child_ = nullptr;
  bool stopping_ = false;
  Periodic periodic_;
};

}  // namespace guildhall
