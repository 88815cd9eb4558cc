#include "app/clock_watch.h"

#include "base/clock.h"
#include "base/log.h"

namespace guildhall {
namespace {

const Sql clock_sql("SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS bigint)");

}  // namespace

ClockWatch::ClockWatch(Storage& storage, Metrics& metrics) : storage_(storage) {
  if (storage.name() != "postgresql") return;
  measure();
  periodic_.emplace(metrics, "clock", pause, [this](const JobFailures&) { measure(); });
}

void ClockWatch::measure() {
  Instant shared, asked_at, answered_at;
  storage_.read_now([&](Tx& tx) {
    asked_at = local_now();
    tx.run({&clock_sql, {}}, [&](const Row& row) { shared = {row.integer(0)}; });
    answered_at = local_now();
  });
  const std::chrono::milliseconds trip(answered_at.ms - asked_at.ms);
  if (trip < std::chrono::milliseconds(0) || trip > clock_tolerance) return;  // the measurement is too imprecise
  shared = shared + trip / 2;
  follow_clock(shared);
  ahead_ms_ = answered_at.ms - shared.ms;
  const auto sentence = warning();
  if (sentence && !warned_) log::warn(*sentence);
  warned_ = sentence.has_value();
}

std::optional<std::string> ClockWatch::warning() const {
  const auto ahead = difference();
  if (std::chrono::abs(ahead) <= difference_max) return std::nullopt;
  return fmt::format("This machine's clock is {} s {} the database's: set it, best with NTP.",
                     std::chrono::abs(ahead).count() / 1000, ahead.count() > 0 ? "ahead of" : "behind");
}

}  // namespace guildhall
