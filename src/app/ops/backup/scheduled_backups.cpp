#include "app/ops/backup/scheduled_backups.h"

#include <limits>

#include "app/ops/backup/backup.h"
#include "app/ops/backup/blocking_cache.h"
#include "base/crypto.h"
#include "base/encoding.h"
#include "base/log.h"

extern char** environ;

namespace guildhall {
namespace {

constexpr std::chrono::seconds pause{2};
constexpr std::chrono::minutes retry_pause{5};
constexpr std::chrono::minutes look_pause{10};
constexpr std::chrono::hours running_max{2};  // then the node has probably died, and another one repeats the backup
constexpr std::chrono::hours done_extra{24};  // longer than the interval, for nodes with a late clock

bool is_scheduled(const BackupConfig& config) {
  return config.backup_schedule.interval.count() > 0;
}

std::map<std::string, std::string> whole_environment() {
  std::map<std::string, std::string> variables;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    const std::size_t equals = text.find('=');
    if (equals != std::string_view::npos) variables.emplace(text.substr(0, equals), text.substr(equals + 1));
  }
  return variables;
}

}  // namespace

ScheduledBackups::ScheduledBackups(const Config& config, CacheEngine& cache, Metrics& metrics)
    : config_(config),
      cache_(cache),
      failures_(metrics.counter("backup_failures_total", "Scheduled backups that have failed.")),
      periodic_(metrics, "backups", pause,
                [this](const JobFailures& failures) { is_scheduled(config_) ? make_if_due(failures) : look(); }) {
  metrics.gauge("backup_newest_timestamp_seconds",
                "The time of the newest backup that is known. If there is none: 0 with BACKUP_SCHEDULE, otherwise NaN.",
                [this] {
                  if (newest_ms_ == 0 && !is_scheduled(config_)) return std::numeric_limits<double>::quiet_NaN();
                  return static_cast<double>(newest_ms_) / 1000;
                });
}

ScheduledBackups::~ScheduledBackups() {
  const std::lock_guard lock(mutex_);
  stopping_ = true;
  if (child_ != nullptr) child_->end();
}

// Installations may share a cache.
std::string ScheduledBackups::key_of(Instant due) const {
  return fmt::format("backup:{}:{}", hex(sha256(config_.database_url)), to_string(due));
}

void ScheduledBackups::look() {
  const Instant at = now();
  if (at < next_try_) return;
  next_try_ = at + look_pause;
  if (const auto newest = newest_backup_in_target(config_)) newest_ms_ = newest->ms;
}

void ScheduledBackups::make_if_due(const JobFailures& failures) {
  const Instant at = now(), due = config_.backup_schedule.last_before(at);
  if (due == handled_ || at < next_try_) return;
  next_try_ = at + retry_pause;
  const auto newest = newest_backup_in_target(config_);
  if (newest) newest_ms_ = newest->ms;
  if (newest && *newest >= due) {
    handled_ = due;
    return;
  }
  const std::string key = key_of(due);
  if (const auto state = claim(key)) {
    log::info("another node makes this backup", {{"due", to_string(due)}, {"state", *state}});
    if (*state == "done") handled_ = due;
    return;
  }
  make(due, failures);
}

void ScheduledBackups::make(Instant due, const JobFailures& failures) {
  const std::string key = key_of(due);
  try {
    const auto backup = from_json<Backup>(run());
    log::info("backup made", {{"file", backup.file}, {"bytes", backup.bytes}, {"deleted", backup.deleted.size()}});
    newest_ms_ = now().ms;
    handled_ = due;
    set_state(key, "done", config_.backup_schedule.interval + done_extra);
  } catch (const std::exception& error) {
    const std::lock_guard lock(mutex_);
    if (stopping_) return set_state(key, "stopped", std::chrono::milliseconds(1));
    failures_.add();
    failures.record({.record = "scheduled backup"}, error.what());
    set_state(key, "failed", retry_pause);
  }
}

// Returns the output of `guildhall backup --json`.
std::string ScheduledBackups::run() {
  ChildProcess child({"/proc/self/exe", "backup", "--json"}, whole_environment(), ChildProcess::Pipe::output);
  {
    const std::lock_guard lock(mutex_);
    if (stopping_) child.end();
    child_ = &child;
  }
  std::string output;
  for (std::string_view part = child.read(); !part.empty(); part = child.read()) output += part;
  {
    const std::lock_guard lock(mutex_);
    child_ = nullptr;
  }
  child.finish();
  return output;
}

std::optional<std::string> ScheduledBackups::claim(const std::string& key) {
  std::optional<std::string> state;
  run_with(cache_, [&](Cache& cache) -> Task<> {
    const bool claimed = co_await cache.replace(key, std::nullopt, "running", running_max);
    if (!claimed) state = (co_await cache.get(key)).value_or("failed");
  });
  return state;
}

void ScheduledBackups::set_state(const std::string& key, const char* state, std::chrono::milliseconds ttl) {
  run_with(cache_, [&](Cache& cache) -> Task<> { co_await cache.put(key, state, ttl); });
}

}  // namespace guildhall
