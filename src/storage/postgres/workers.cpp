#include "storage/postgres/workers.h"

#include <ranges>

#include "base/failure.h"
#include "base/log.h"
#include "storage/postgres/errors.h"

namespace guildhall {
namespace {

constexpr std::chrono::milliseconds between_attempts{20};
constexpr std::string_view no_answer = "The database does not answer.";

template <class Error>
bool is(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const Error&) {
    return true;
  } catch (...) {
    return false;
  }
}

}  // namespace

PgWorkers::PgWorkers(const StorageOptions& options, SilenceLimit& silence)
    : url_(options.url),
      silence_(silence),
      metrics_(metrics_or_unread(options.metrics)),
      connection_failures_(metrics_or_unread(options.metrics)
                               .counter("postgres_connection_failures_total", "Connections that could not be made.")),
      round_trips_(metrics_or_unread(options.metrics)
                       .counter("postgres_round_trips_total", "Round trips of transactions to the server.")),
      queue_(options.queued_writes_max) {
  if (options.metrics != nullptr) show(*options.metrics);
  for (int i = 0; i < options.writer_connections_max; ++i) threads_.emplace_back([this] { work(); });
  threads_.emplace_back([this] { refuse_overdue(); });
}

PgWorkers::~PgWorkers() {
  queue_.close();
  for (std::thread& thread : threads_) thread.join();
}

void PgWorkers::show(Metrics& metrics) {
  show_queue(metrics, "transaction", queue_);
  const auto connections = [&](const char* state, std::function<double()> read) {
    metrics.gauge("postgres_connections", "Connections of the pool for transactions.", std::move(read),
                  {{"state", state}});
  };
  connections("busy", [this] { return busy_.load(); });
  connections("idle", [this] { return std::max(0, connected() - busy_.load()); });
}

int PgWorkers::connected() {
  const std::lock_guard lock(mutex_);
  return connected_;
}

void PgWorkers::work() {
  PgSession session(url_, silence_, metrics_, round_trips_);
  while (true) {
    if (!session.is_connected()) {
      if (!queue_.wait_for_backlog()) return;
      if (!connect(session)) continue;
    }
    Job* job = queue_.pop();
    if (job == nullptr) return;
    ++busy_;
    metrics_.started(*job, std::chrono::steady_clock::now());
    run(session, *job);
    --busy_;
  }
}

bool PgWorkers::connect(PgSession& session) {
  if (!may_connect()) {
    wait_or_refuse();
    return false;
  }
  try {
    session.connect();
  } catch (const std::exception& error) {
    log::error("No connection to PostgreSQL", {{"error", error.what()}});
    connection_failures_.add();
    connecting_ended(false);
    wait_or_refuse();
    return false;
  }
  connecting_ended(true);
  return true;
}

// While the server refuses connections, only one thread at a time tries to connect.
bool PgWorkers::may_connect() {
  const std::lock_guard lock(mutex_);
  if (back_off_.is_waiting()) return false;
  if (back_off_.is_failing() && (connecting_ > 0 || silence_.stopping())) return false;
  crowded_ = crowded_ || connecting_ > 0;
  ++connecting_;
  return true;
}

void PgWorkers::connecting_ended(bool connected) {
  const std::lock_guard lock(mutex_);
  --connecting_;
  if (connected) {
    ++connected_;
    back_off_.succeeded();
  } else {
    back_off_.failed();
  }
  if (connecting_ == 0) were_crowded_ = std::exchange(crowded_, false);
}

void PgWorkers::wait_or_refuse() {
  const bool hopeless = [&] {
    const std::lock_guard lock(mutex_);
    return connected_ == 0 && connecting_ == 0 && !were_crowded_;
  }();
  if (hopeless) {
    last_commit_.failed();
    refuse_jobs(queue_.take_waiting(std::chrono::milliseconds(0)), no_answer);
  } else {
    std::this_thread::sleep_for(between_attempts);
  }
}

void PgWorkers::run(PgSession& session, Job& job) {
  std::optional<UncommittedJob> uncommitted;
  const auto attempt = [&] {
    if (job.runs_alone) {
      session.run(job);
    } else {
      uncommitted = session.prepare(job);
    }
  };
  if (auto error = error_of(attempt)) return failed(session, {&job}, std::move(error));
  if (!uncommitted) return succeeded({&job});
  commit_group_.add(*std::move(uncommitted));
  commit_waiting(session);
}

void PgWorkers::commit_waiting(PgSession& session) {
  while (session.is_connected()) {
    std::vector<UncommittedJob> jobs = commit_group_.take();
    if (jobs.empty()) return;
    commit_together(session, jobs);
    commit_group_.ended();
  }
  // Without a connection they are left to other threads. Nothing was sent for them.
  for (const UncommittedJob& each : commit_group_.take_all()) queue_.push_front(*each.job);
}

void PgWorkers::commit_together(PgSession& session, std::span<UncommittedJob> together) {
  std::vector<Job*> jobs;
  for (const UncommittedJob& each : together) jobs.push_back(each.job);
  std::exception_ptr error = error_of([&] { session.commit(together); });
  if (!error) return succeeded(jobs);
  const bool is_race = is<WriteRace>(error);
  if (is_race) metrics_.races.add();
  const bool is_of_one = jobs.size() == 1 && !is_race;
  if (is_of_one || is<OutcomeUnknown>(error) || is<ConnectionLost>(error)) {
    failed(session, jobs, std::move(error));
  } else {
    run_singly(session, jobs);
  }
}

// By any thread, since one of them may wait for a locked row, and others can be committed meanwhile.
void PgWorkers::run_singly(const PgSession& session, const std::vector<Job*>& jobs) {
  if (!session.is_connected()) lost_connection(session.server_was_silent());
  for (Job* job : jobs | std::views::reverse) {
    job->runs_alone = true;
    queue_.push_front(*job);
  }
}

void PgWorkers::succeeded(const std::vector<Job*>& jobs) {
  if (jobs.front()->kind == Job::Kind::write) last_commit_.succeeded();
  finish_jobs(jobs);
}

// If the connection was lost before their commit, a thread with a connection runs the jobs again, but only once.
void PgWorkers::failed(const PgSession& session, std::vector<Job*> jobs, std::exception_ptr error) {
  try {
    std::rethrow_exception(error);
  } catch (const ConnectionLost& lost) {
    lost_connection(lost.server_was_silent);
    std::erase_if(jobs, [&](Job* job) {
      if (lost.server_was_silent || job->repeated) return false;
      job->repeated = lost.after_use;
      metrics_.lost_connections.add();
      queue_.push_front(*job);
      return true;
    });
    error = std::make_exception_ptr(unavailable(lost.server_was_silent
                                                    ? "The database does not answer; nothing was changed."
                                                    : "The connection to the database broke; nothing was changed."));
  } catch (...) {
    if (!session.is_connected()) lost_connection(session.server_was_silent());
  }
  for (Job* job : jobs) job->error = error;
  error = nullptr;  // the thread that waits for the job releases it last, as the thread sanitizer expects
  finish_jobs(jobs);
}

void PgWorkers::lost_connection(bool server_was_silent) {
  last_commit_.failed();
  const std::lock_guard lock(mutex_);
  --connected_;
  if (server_was_silent) back_off_.failed();
}

void PgWorkers::refuse_overdue() {
  while (!queue_.drained()) {
    if (!queue_.pause(SilenceLimit::check_interval))
      std::this_thread::sleep_for(between_attempts);  // the queue is closing
    refuse_jobs(queue_.take_waiting(silence_.get()), no_answer);
  }
}

}  // namespace guildhall
