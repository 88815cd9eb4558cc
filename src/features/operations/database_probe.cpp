#include "features/operations/database_probe.h"

#include "base/log.h"
#include "base/task.h"

namespace guildhall {
namespace {

using namespace std::chrono_literals;

constexpr auto answer_within = 2s;
constexpr auto recent = 1s;
constexpr auto between_probes = 500ms;
constexpr auto standby_check_interval = 10s;  // while recent commits show that the database can be written

}  // namespace

Task<DatabaseProbe::State> DatabaseProbe::state() {
  const bool recently_written = storage_.has_written_within(recent);
  if (wants_probe(recently_written)) {
    running_ = true;
    started_ = std::chrono::steady_clock::now();
    background_.start(run());
  }
  if (!recently_written) {
    while (running_ && std::chrono::steady_clock::now() - started_ < answer_within) co_await pause_for(5ms);
  }
  co_return State{.writable = recently_written || (!running_ && succeeded_), .warnings = warnings()};
}

bool DatabaseProbe::wants_probe(bool recently_written) const {
  if (running_) return false;
  const auto age = std::chrono::steady_clock::now() - ended_;
  return age >= (recently_written ? standby_check_interval : between_probes);
}

Task<> DatabaseProbe::run() {
  try {
    last_ = co_await db_.probe();
    succeeded_ = true;
  } catch (const std::exception& error) {
    log::warn("the database cannot be written", {{"error", error.what()}});
    succeeded_ = false;
  }
  ended_ = std::chrono::steady_clock::now();
  running_ = false;
}

std::vector<std::string> DatabaseProbe::warnings() const {
  std::vector<std::string> found = storage_.warnings();
  if (last_.commits_wait_for_standby) {
    found.emplace_back("Commits wait for a standby server of the database that does not answer.");
  }
  return found;
}

}  // namespace guildhall
