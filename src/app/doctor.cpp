#include "app/doctor.h"

#include <filesystem>
#include <fmt/ostream.h>
#include <iostream>

#include "app/app.h"
#include "cache/cache.h"
#include "storage/migrations.h"
#include "storage/storage.h"

namespace guildhall {
namespace {

constexpr std::uintmax_t free_bytes_min = 1ull << 30;

class Report {
 public:
  void well(std::string_view what) { fmt::print(std::cout, "ok       {}\n", what); }
  void warn(std::string_view what) { fmt::print(std::cout, "warning  {}\n", what); }
  void wrong(std::string_view what, std::string_view advice) {
    fmt::print(std::cout, "PROBLEM  {}\n         {}\n", what, advice);
    ++problems_;
  }
  int problems() const { return problems_; }

 private:
  int problems_ = 0;
};

void check_database(const Config& config, Report& report) {
  try {
    const auto storage = open_storage({.url = config.database_url, .writer_connections_max = 1});
    storage->check();
    const int applied = migrate(*storage);
    report.well(fmt::format("database: {} answers{}", storage->name(),
                            applied > 0 ? fmt::format(", {} migrations applied", applied) : ", schema up to date"));
  } catch (const std::exception& error) {
    report.wrong(fmt::format("database: {}", error.what()),
                 "Check DATABASE_URL; for SQLite, that no other guildhall is running on the file.");
  }
}

void check_cache(const Config& config, Report& report) {
  try {
    const auto cache = open_cache({.url = config.cache_url, .keep_file = ""});
    cache->check();
    report.well(fmt::format("cache: {} answers", cache->name()));
  } catch (const std::exception& error) {
    report.wrong(fmt::format("cache: {}", error.what()), "Check CACHE_URL and that Redis is running.");
  }
}

void check_disk(const Config& config, Report& report) {
  std::error_code error;
  std::filesystem::create_directories(config.data_dir, error);
  const auto space = std::filesystem::space(config.data_dir, error);
  if (error) {
    report.wrong(fmt::format("disk: {} cannot be used: {}", config.data_dir, error.message()),
                 "Set DATA_DIR to a folder that this user may write to.");
  } else if (space.available < free_bytes_min) {
    report.warn(fmt::format("disk: only {} MiB free in {}; make room before it is full", space.available >> 20,
                            config.data_dir));
  } else {
    report.well(fmt::format("disk: {} MiB free in {}", space.available >> 20, config.data_dir));
  }
}

// Sessions, links and signatures depend on the time; a clock before this program was made is certainly wrong.
void check_clock(Report& report) {
  constexpr std::string_view made = "2026-11-01T00:00:00Z";
  if (now() < *parse_instant(made)) {
    report.wrong(fmt::format("clock: it says {}", to_string(now())), "Set the clock, best with NTP.");
  } else {
    report.well(fmt::format("clock: {}", to_string(now())));
  }
}

}  // namespace

int run_doctor(const Environment& environment) {
  Report report;
  Config config;
  try {
    config = read_config(environment);
    report.well("configuration: every variable is valid");
  } catch (const std::exception& error) {
    report.wrong(error.what(), "See the README's table, or: guildhall config");
    return report.problems();
  }
  check_database(config, report);
  check_cache(config, report);
  check_disk(config, report);
  check_clock(report);
  for (const std::string& warning : warnings_of(config)) report.warn(warning);
  return report.problems();
}

}  // namespace guildhall
