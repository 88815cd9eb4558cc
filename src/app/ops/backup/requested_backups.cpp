#include "app/ops/backup/requested_backups.h"

#include "app/ops/backup/backup.h"
#include "app/ops/backup/blocking_cache.h"
#include "app/ops/progress.h"
#include "base/clock.h"
#include "base/crypto.h"
#include "base/encoding.h"
#include "base/log.h"

namespace guildhall {
namespace {

constexpr std::chrono::hours claimed_for{2};  // then the node has probably died, and another backup can be requested
constexpr std::chrono::hours shown_for{24};

// Installations may share a cache.
std::string key_for(const Config& config) {
  return fmt::format("backup:{}:requested", hex(sha256(config.database_url)));
}

}  // namespace

RequestedBackups::RequestedBackups(const Config& config, CacheEngine& cache) : config_(config), cache_(cache) {}

RequestedBackups::~RequestedBackups() = default;

void RequestedBackups::start() {
  const std::lock_guard lock(mutex_);
  const RequestedBackup begun{.started_at = now()};
  if (!claim(begun)) return;
  thread_ = std::jthread([this, begun](const std::stop_token& stop) { make(stop, begun); });
}

BackupList RequestedBackups::list() const {
  BackupList list = list_backups(config_);
  list.keep = config_.backup_keep;
  list.requested = last();
  return list;
}

std::optional<RequestedBackup> RequestedBackups::last() const {
  std::optional<std::string> stored;
  try {
    run_with(cache_, [&](Cache& cache) -> Task<> { stored = co_await cache.get(key_for(config_)); });
  } catch (const std::exception& error) {
    log::warn("the state of the requested backup cannot be read", {{"error", error.what()}});
  }
  return stored ? std::optional(from_json<RequestedBackup>(*stored)) : std::nullopt;
}

bool RequestedBackups::claim(const RequestedBackup& begun) const {
  const std::string key = key_for(config_), text = to_json(begun);
  bool claimed = false;
  run_with(cache_, [&](Cache& cache) -> Task<> {
    const std::optional<std::string> present = co_await cache.get(key);
    if (present && from_json<RequestedBackup>(*present).status == RequestedBackupStatus::RUNNING) co_return;
    claimed = co_await cache.replace(key, present ? std::optional<std::string_view>(*present) : std::nullopt, text,
                                     claimed_for);
  });
  return claimed;
}

void RequestedBackups::make(const std::stop_token& stop, RequestedBackup backup) const {
  hide_progress();  // the log is no terminal
  try {
    const Backup made = back_up(config_, config_.backup_target, stop);
    backup.status = RequestedBackupStatus::DONE;
    backup.file = made.file;
    backup.bytes = made.bytes;
    log::info("requested backup made", {{"file", made.file}, {"bytes", made.bytes}, {"deleted", made.deleted.size()}});
  } catch (const std::exception& error) {
    backup.status = RequestedBackupStatus::FAILED;
    backup.error = error.what();
    log::warn("requested backup failed", {{"error", error.what()}});
  }
  backup.finished_at = now();
  const std::string key = key_for(config_), text = to_json(backup);
  try {
    run_with(cache_, [&](Cache& cache) -> Task<> { co_await cache.put(key, text, shown_for); });
  } catch (const std::exception& error) {
    log::warn("the result of the requested backup cannot be stored", {{"error", error.what()}});
  }
}

}  // namespace guildhall
