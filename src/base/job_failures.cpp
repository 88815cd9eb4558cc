#include "base/job_failures.h"

#include "base/failure.h"
#include "base/log.h"

namespace guildhall {
namespace {

constexpr int unanswered_max = 10;

Counter& counter_of(Metrics& metrics, std::string_view job) {
  return metrics.counter("job_failures_total", "Records, tenants and runs that background jobs have skipped.",
                         {{"job", std::string(job)}});
}

bool is_unavailable(const std::exception& error) {
  const auto* failure = dynamic_cast<const Failure*>(&error);
  return failure != nullptr && failure->kind == Failure::Kind::unavailable;
}

}  // namespace

JobFailures::JobFailures(Metrics& metrics, std::string_view job) : job_(job), failures_(counter_of(metrics, job)) {}

JobFailures::JobFailures() : JobFailures(metrics_or_unread(nullptr), "unnamed") {}

bool JobFailures::attempt(const Part& part, FunctionRef<void()> work) const {
  try {
    work();
    unanswered_ = 0;
    return true;
  } catch (const std::exception& error) {
    unanswered_ = is_unavailable(error) ? unanswered_ + 1 : 0;
    if (unanswered_ >= unanswered_max) throw;
    record(part, error.what());
    return false;
  }
}

// Each job has a message of its own, because lines with the same message are limited.
void JobFailures::record(const Part& part, std::string_view error) const {
  failures_.add();
  const std::string message = fmt::format("job {}: a part has failed and is skipped", job_);
  log::warn(message, {{"tenant", part.tenant}, {"record", part.record}, {"error", error}});
}

}  // namespace guildhall
