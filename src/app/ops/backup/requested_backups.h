#pragma once

#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>

#include "app/config.h"
#include "cache/cache.h"
#include "features/operations/backup_list.h"

namespace guildhall {

// Makes backups that an operator requests, one at a time, on a thread of its own. Their state is in the cache, so that
// all nodes of an installation show it and only one of them makes a backup.
class RequestedBackups {
 public:
  RequestedBackups(const Config& config, CacheEngine& cache);
  ~RequestedBackups();  // ends a backup that is running

  // Begins a backup, unless a requested one is running. Blocks for the cache; throws Failure unavailable without it.
  void start();

  // The stored backups with the last request, if that is known.
  BackupList list() const;

 private:
  std::optional<RequestedBackup> last() const;
  bool claim(const RequestedBackup& begun) const;
  void make(const std::stop_token& stop, RequestedBackup backup) const;

  const Config& config_;
  CacheEngine& cache_;
  std::mutex mutex_;  // for the next one
  std::jthread thread_;
};

}  // namespace guildhall
