#include <filesystem>
#include <sys/resource.h>
#include <unistd.h>

#include "app/backup/backup.h"
#include "app/commands.h"
#include "base/misspelt_variables.h"
#include "cache/cache.h"
#include "storage/sqlite/disk_space.h"

namespace guildhall {
namespace {

namespace fs = std::filesystem;

constexpr rlim_t descriptors_min = 4096;

// Returns false if the other checks cannot be made.
bool check_configuration(const CheckedConfig& checked, const std::vector<std::string>& names, Findings& findings) {
  for (const UnknownVariable& unknown : misspelt_variables(config_variables(), names)) {
    findings.warning("configuration", unknown.name + " " + misspelling_sentence(unknown),
                     "Correct the name, or remove the variable. `guildhall config` lists all.");
  }
  for (const ConfigProblem& problem : checked.problems) {
    findings.problem("configuration", problem.variable + " " + problem.message,
                     "The README's table has every variable; `guildhall config` shows the values in force.");
  }
  if (!checked.problems.empty()) return false;
  findings.ok("configuration", "every variable is valid");
  for (const ConfigWarning& warning : config_warnings(checked.config)) {
    findings.warning("configuration", std::string(warning.message), std::string(warning.advice));
  }
  return true;
}

void check_cache(const CacheConfig& config, Findings& findings) {
  try {
    const auto cache = open_cache({.url = config.cache_url, .keep_file = ""});
    cache->check();
    findings.ok("cache", fmt::format("{} answers", cache->name()));
  } catch (const std::exception& error) {
    findings.problem("cache", error.what(), "Check CACHE_URL, and that Redis is running.");
  }
}

fs::path nearest_existing(fs::path path) {
  path = fs::absolute(path);
  std::error_code ignored;
  while (!fs::exists(path, ignored) && path.has_relative_path()) path = path.parent_path();
  return path;
}

void check_disk(const InstallationConfig& config, Findings& findings) {
  const fs::path folder = nearest_existing(config.data_dir);
  const DiskSpace space = disk_space(folder.string());
  const std::string state = fmt::format("{} MiB are free in {}", space.free >> 20, folder.string());
  if (::access(folder.c_str(), W_OK | X_OK) != 0) {
    findings.problem("disk", fmt::format("this user cannot write to {}", folder.string()),
                     "Set DATA_DIR to a folder that the server's user may write to.");
  } else if (space.is_low()) {
    findings.warning("disk", "only " + state, "Free some space: on a full disk every write is refused with 503.");
  } else {
    findings.ok("disk", state);
  }
}

constexpr std::chrono::hours backup_age_max{48};

// An installation without the folder is backed up in another way, or not at all, which cannot be seen from here.
void check_backups(const BackupConfig& config, Findings& findings) {
  if (!fs::exists(config.backup_dir)) return;
  const auto newest = newest_backup(config.backup_dir);
  if (newest && *newest + backup_age_max > now()) {
    findings.ok("backup", fmt::format("the newest in {} is of {}", config.backup_dir, to_string(*newest)));
    return;
  }
  findings.warning("backup",
                   newest ? fmt::format("the newest in {} is of {}", config.backup_dir, to_string(*newest))
                          : fmt::format("there is none in {}", config.backup_dir),
                   "Run `guildhall backup` every day, from cron or with the packaged timer.");
}

// The server raises its soft limit to the hard limit, so only the hard limit matters.
void check_descriptors(Findings& findings) {
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  if (limit.rlim_max < descriptors_min) {
    findings.warning(
        "descriptors", fmt::format("this user may open only {} files and connections", limit.rlim_max),
        fmt::format("Raise the hard limit to {} or more (LimitNOFILE= of systemd, `ulimit -Hn`).", descriptors_min));
  } else {
    findings.ok("descriptors", limit.rlim_max == RLIM_INFINITY ? "no limit" : fmt::format("{}", limit.rlim_max));
  }
}

// Sessions, links and signatures depend on the time; a clock before this program was made is certainly wrong.
void check_clock(Findings& findings) {
  constexpr std::string_view made = "2026-11-01T00:00:00Z";
  if (now() < *parse_instant(made)) {
    findings.problem("clock", fmt::format("it is at {}, before this program was made", to_string(now())),
                     "Set the clock, best with NTP.");
  } else {
    findings.ok("clock", to_string(now()));
  }
}

}  // namespace

Findings run_doctor(const Environment& environment, const std::vector<std::string>& names) {
  Findings findings;
  const CheckedConfig checked = check_config(environment);
  check_clock(findings);
  check_descriptors(findings);
  if (!check_configuration(checked, names, findings)) return findings;
  check_database(checked.config, findings);
  check_cache(checked.config, findings);
  check_disk(checked.config, findings);
  check_backups(checked.config, findings);
  return findings;
}

}  // namespace guildhall
