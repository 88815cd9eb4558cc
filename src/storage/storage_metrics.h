#pragma once

#include "base/metrics.h"
#include "storage/job_queue.h"

namespace guildhall {

// The metrics of an engine's transactions.
struct TransactionMetrics {
  explicit TransactionMetrics(Metrics& metrics)
      : queued(metrics.histogram("database_queue_seconds", "Time for which a transaction waited for a thread.")),
        commits(metrics.counter("database_commits_total", "Commits; one commit may contain several transactions.")),
        committed(metrics.counter("database_transactions_total", "Writing transactions that were committed.")),
        races(metrics.counter("database_retries_total", "Transactions that ran again, by cause.", {{"cause", "race"}})),
        lost_connections(metrics.counter("database_retries_total", "Transactions that ran again, by cause.",
                                         {{"cause", "connection"}})) {}

  void started(const Job& job, std::chrono::steady_clock::time_point now) { queued.observe(now - job.queued_at); }

  Histogram& queued;
  Counter& commits;
  Counter& committed;
  Counter& races;
  Counter& lost_connections;
};

// Shows how many transactions wait in the queue. The queue must outlive the metrics' last request.
inline void show_queue(Metrics& metrics, std::string_view kind, const JobQueue& queue) {
  metrics.gauge("database_queue_length", "Transactions that wait for a thread.",
                [&queue] { return static_cast<double>(queue.length()); }, {{"kind", std::string(kind)}});
}

}  // namespace guildhall
