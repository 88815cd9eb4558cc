#pragma once

#include <atomic>
#include <string>
#include <string_view>

#include "base/function_ref.h"
#include "base/metrics.h"

namespace guildhall {

// Separates the parts of a background job, each of which concerns one tenant or one record. A part that fails is
// skipped: it is logged with its tenant and record, and counted in `job_failures_total{job}`. The other parts go on.
// Safe to use from several threads.
class JobFailures {
 public:
  JobFailures(Metrics& metrics, std::string_view job);

  // For callers without metrics, such as commands and tests: failures are only logged.
  JobFailures();

  // The tenant and the record of a part. A whole run has neither.
  struct Part {
    std::string_view tenant{};
    std::string_view record{};
  };

  // Runs the work of one part. Returns whether it succeeded; an exception is recorded. When the database has not
  // answered for ten parts in a row, it is down and not the cause in any of them: then Failure unavailable is rethrown.
  bool attempt(const Part& part, FunctionRef<void()> work) const;

  // Logs and counts the failure of a part that the caller skips.
  void record(const Part& part, std::string_view error) const;

 private:
  std::string job_;
  Counter& failures_;
  mutable std::atomic<int> unanswered_{0};  // in a row
};

}  // namespace guildhall
