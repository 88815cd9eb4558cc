// The checks of the machine: clock, descriptors, disks, and the backups on them.
#include <fcntl.h>
#include <filesystem>
#include <set>
#include <sys/resource.h>
#include <unistd.h>

#include "app/ops/backup/backup.h"
#include "app/ops/backup/s3.h"
#include "app/ops/doctor/doctor.h"
#include "base/clock.h"
#include "storage/sqlite/disk_space.h"
#include "storage/storage.h"

namespace guildhall {
namespace {

namespace fs = std::filesystem;

constexpr rlim_t descriptors_min = 4096;
constexpr std::chrono::milliseconds write_max{50};

std::size_t open_descriptors() {
  std::error_code ignored;
  return static_cast<std::size_t>(std::distance(fs::directory_iterator("/proc/self/fd", ignored), {}));
}

// False also for a path that this user must not see.
bool is_there(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

fs::path nearest_existing(fs::path path) {
  path = fs::absolute(path);
  while (!is_there(path) && path.has_relative_path()) path = path.parent_path();
  return path;
}

// Where the server writes: its data, the database file, pictures and backups.
std::set<fs::path> folders_of(const Config& config) {
  std::set<fs::path> folders{nearest_existing(config.data_dir)};
  const std::string& url = config.database_url;
  if (url.starts_with(sqlite_prefix)) {
    folders.insert(nearest_existing(fs::absolute(url.substr(sqlite_prefix.size())).parent_path()));
  }
  if (!config.media_dir.empty()) folders.insert(nearest_existing(config.media_dir));
  if (is_there(config.backup_dir)) folders.insert(fs::absolute(config.backup_dir));
  return folders;
}

// How long a commit waits for the disk: writes and syncs a file that has no name, so nothing stays behind. Returns
// nothing where the file system has no such files. Throws std::system_error if the disk cannot be written.
std::optional<std::chrono::microseconds> write_time(const fs::path& folder) {
  constexpr int attempts = 3;
  const int file = ::open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
  if (file < 0) return std::nullopt;
  const std::string page(4096, '\0');
  auto shortest = std::chrono::microseconds::max();  // the disk may be busy for a moment
  bool failed = false;
  for (int i = 0; i < attempts && !failed; ++i) {
    const auto start = std::chrono::steady_clock::now();
    failed = ::write(file, page.data(), page.size()) != static_cast<ssize_t>(page.size()) || ::fdatasync(file) != 0;
    shortest = std::min(
        shortest, std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - start));
  }
  const int error = errno;
  ::close(file);
  if (failed) throw std::system_error(error, std::generic_category());
  return shortest;
}

void check_write_time(const fs::path& folder, Findings& findings) {
  try {
    const auto time = write_time(folder);
    if (!time) return;
    const auto state = fmt::format("a write to {} takes {:.1f} ms", folder.string(), time->count() / 1000.0);
    if (*time <= write_max) {
      findings.ok("disk", state);
    } else {
      findings.warning("disk", state, "Use a faster disk: every commit waits that long.");
    }
  } catch (const std::system_error& error) {
    findings.problem("disk", fmt::format("{} cannot be written: {}", folder.string(), error.code().message()),
                     "Free some space, or replace the disk: every write is refused with 503.");
  }
}

}  // namespace

// Sessions, links and signatures depend on the time; a clock before this program was made is certainly wrong.
void check_clock(const Examined&, Findings& findings) {
  constexpr std::string_view made = "2026-11-01T00:00:00Z";
  if (local_now() < *parse_instant(made)) {
    findings.problem("clock", fmt::format("it is at {}, before this program was made", to_string(local_now())),
                     "Set the clock, best with NTP.");
  } else {
    findings.ok("clock", to_string(local_now()));
  }
}

// The server raises its soft limit to the hard limit, so only the hard limit matters.
void check_descriptors(const Examined& examined, Findings& findings) {
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  const std::size_t used = examined.by_server ? open_descriptors() : 0;
  const std::string size = limit.rlim_max == RLIM_INFINITY ? "no limit" : fmt::format("{}", limit.rlim_max);
  if (limit.rlim_max < descriptors_min) {
    findings.warning(
        "descriptors", fmt::format("this user may open only {} files and connections", size),
        fmt::format("Raise the hard limit to {} or more (LimitNOFILE= of systemd, `ulimit -Hn`).", descriptors_min));
  } else if (used > limit.rlim_max / 5 * 4) {
    findings.warning("descriptors", fmt::format("{} of {} are in use", used, size),
                     "Raise the hard limit (LimitNOFILE= of systemd), or find out who keeps so many connections open.");
  } else {
    findings.ok("descriptors", used > 0 ? fmt::format("{} of {} are in use", used, size) : size);
  }
}

void check_disks(const Examined& examined, Findings& findings) {
  for (const fs::path& folder : folders_of(examined.config)) {
    const DiskSpace space = disk_space(folder.string());
    const std::string state = fmt::format("{} MiB are free in {}", space.free >> 20, folder.string());
    if (::access(folder.c_str(), W_OK | X_OK) != 0) {
      findings.problem("disk", fmt::format("this user cannot write to {}", folder.string()),
                       "Set DATA_DIR to a folder that the server's user may write to.");
      continue;
    }
    if (space.is_low()) {
      findings.warning("disk", "only " + state, "Free some space: on a full disk every write is refused with 503.");
    } else {
      findings.ok("disk", state);
    }
    check_write_time(folder, findings);
  }
}

void check_backups(const Examined& examined, Findings& findings) {
  const Config& config = examined.config;
  const std::string& target = config.backup_target;
  if (is_s3_url(target)) {
    return findings.ok("backup", fmt::format("made to {}; `--online` looks for the newest one", target));
  }
  const auto newest = newest_backup(target);
  if (newest && *newest + backup_age_max > local_now()) {
    findings.ok("backup", fmt::format("the newest in {} is of {}", target, to_string(*newest)));
  } else if (newest || is_there(target)) {
    findings.warning("backup",
                     newest ? fmt::format("the newest in {} is of {}", target, to_string(*newest))
                            : fmt::format("there is none in {}", target),
                     "Run `guildhall backup` every day, from cron or with the packaged timer.");
  } else if (!config.development) {
    findings.warning("backup", fmt::format("there is no folder {}", target),
                     "Run `guildhall backup` every day, unless the database is backed up in another way.");
  }
}

}  // namespace guildhall
