#include "storage/postgres/replica.h"

#include "base/log.h"
#include "storage/guard.h"
#include "storage/postgres/errors.h"
#include "storage/postgres/pooling.h"

namespace guildhall {
namespace {

using State = PgReplicaState;

constexpr std::chrono::milliseconds between_looks{1'000};
constexpr std::chrono::milliseconds silence_of_watch{2'000};

// A replica is usually behind by a few milliseconds. These pauses add up to 63.
constexpr std::chrono::milliseconds first_pause{1}, last_pause{32};

// A replica is an exact copy, so the same database and schema have the same identifiers on both servers.
constexpr std::string_view database_expression =
    "concat_ws('/', (SELECT system_identifier FROM pg_control_system()),"
    " (SELECT oid FROM pg_database WHERE datname = current_database()), current_schema())";

const Sql database_sql(fmt::format("SELECT {}", database_expression));

// The timeline in the control file is that of what was replayed and written to disk. After a fail-over it may be that
// of the former primary for some minutes; until then the replica is not used.
const Sql state_sql(
    fmt::format("SELECT pg_is_in_recovery(), {} = $3, CAST($1 AS pg_lsn) IS NOT NULL AND CAST($2 AS text) IS NOT NULL",
                database_expression) +
    guard(" AND pg_last_wal_replay_lsn() >= CAST($1 AS pg_lsn) AND"
          " (SELECT lpad(upper(to_hex(min_recovery_end_timeline)), 8, '0') FROM pg_control_recovery()) = $2"));

State state_in(const Row& row) {
  if (!row.boolean(0)) return State::not_a_replica;
  if (!row.boolean(1)) return State::of_another_database;
  return row.boolean(2) ? State::replayed : State::behind;
}

// The problem, in a sentence for the operator; empty if there is none.
std::string_view sentence_of(State state) {
  switch (state) {
    case State::behind:
      return "It is behind.";
    case State::not_a_replica:
      return "The server is not a replica.";
    case State::of_another_database:
      return "The server is a replica of another database.";
    case State::replayed:
      break;
  }
  return "";
}

StorageOptions options_of(const StorageOptions& options) {
  StorageOptions of_replica = options;
  of_replica.url = options.read_url;
  of_replica.metrics = nullptr;  // they are those of the primary
  return of_replica;
}

Counter& reads_counter(Metrics* metrics, std::string_view server) {
  return metrics_or_unread(metrics).counter("database_reads_to_show_total",
                                            "Reads of lists, reports and exports, by the server that they ran on.",
                                            {{"server", std::string(server)}});
}

}  // namespace

// A commit has reached the disk of the primary before any replica receives it.
const Sql position_sql(
    "SELECT CAST(pg_current_wal_flush_lsn() AS text), substr(pg_walfile_name(pg_current_wal_flush_lsn()), 1, 8)");

PgPosition read_position(const Row& row) {
  return {std::string(row.text(0)), std::string(row.text(1))};
}

PgReplica::PgReplica(const StorageOptions& options, std::function<void(FunctionRef<void(Tx&)>)> on_primary)
    : url_(options.read_url),
      on_primary_(std::move(on_primary)),
      silence_(options.silence_max),
      workers_(options_of(options), silence_),
      reads_here_(reads_counter(options.metrics, "replica")),
      reads_on_primary_(reads_counter(options.metrics, "primary")),
      silence_of_watch_(silence_of_watch),
      awaited_since_(std::chrono::steady_clock::now()),
      thread_([this] { watch(); }) {
  if (options.metrics != nullptr) show(*options.metrics);
}

PgReplica::~PgReplica() {
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  stopping_.notify_all();
  thread_.join();
}

void PgReplica::show(Metrics& metrics) {
  metrics.gauge("postgres_replica_usable", "1 if lists are read from the replica, 0 if from the primary.",
                [this] { return is_usable() ? 1 : 0; });
  metrics.gauge("postgres_replica_behind_seconds", "For how long the replica has not reached the primary's position.",
                [this] { return seconds_behind(); });
}

double PgReplica::seconds_behind() const {
  if (is_usable()) return 0;
  const std::lock_guard lock(mutex_);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - awaited_since_).count();
}

std::vector<std::string> PgReplica::warnings() const {
  const std::lock_guard lock(mutex_);
  if (problem_.empty()) return {};
  return {fmt::format("Lists are read from the primary, not from the replica (DATABASE_READ_URL): {}", problem_)};
}

Query PgReplica::state_query(const PgPosition& position) const {
  const std::lock_guard lock(mutex_);
  return {&state_sql, {position.in_log, position.timeline, database_}};
}

void PgReplica::require(PgTx& tx, const PgPosition& position) {
  const Query query = state_query(position);
  for (auto pause = first_pause;; pause *= 2) {
    State state = State::behind;
    tx.run_before_snapshot(query, [&](const Row& row) { state = state_in(row); });
    if (state == State::replayed) return;
    // The server was promoted, or replaced: another connection may find a replica.
    if (state != State::behind) tx.give_up_connection();
    if (pause > last_pause) throw Behind();
    std::this_thread::sleep_for(pause);
  }
}

void PgReplica::watch() {
  while (true) {
    std::string problem, reason;
    try {
      problem = look();
    } catch (const ConnectionLost&) {
      connection_.reset();
      problem = "It does not answer.";
    } catch (const DatabaseUnreachable& error) {
      connection_.reset();
      problem = "It cannot be reached.";  // /readyz is public, and libpq's message contains the address
      reason = error.what();
    } catch (const std::exception& error) {
      connection_.reset();
      problem = error.what();
    }
    // Reads that wait for a server that does not answer give up soon.
    if (!problem.empty() && !connection_) silence_.exceeded();
    std::unique_lock lock(mutex_);
    if (stopped_) return;
    if (problem != problem_) {
      problem.empty() ? log::info("Lists are read from the replica again")
                      : log::warn("Lists are read from the primary, not from the replica",
                                  {{"problem", problem}, {"reason", reason}});
    }
    problem_ = problem;
    usable_ = problem.empty();
    if (stopping_.wait_for(lock, between_looks, [&] { return stopped_; })) return;
  }
}

// Each look asks for the position that the primary had at the look before. After a fail-over the replica never reaches
// a place of the former timeline, so a new one is awaited.
std::string PgReplica::look() {
  if (!awaited_) await_position();
  if (!connection_) {
    // Once, since it waits without a limit for a pooler whose server is down.
    if (!std::exchange(pooling_is_checked_, true)) refuse_transaction_pooling(url_, "DATABASE_READ_URL");
    connection_.emplace(url_, silence_of_watch_);
  }
  const State state = ask();
  if (state == State::replayed || (state == State::behind && failed_over())) await_position();
  // Another connection may find a replica, if DATABASE_READ_URL has several hosts.
  if (state == State::not_a_replica || state == State::of_another_database) connection_.reset();
  return std::string(sentence_of(state));
}

// Whether the primary writes another timeline than that of the position that is awaited. False if it does not answer:
// the reads find that out themselves.
bool PgReplica::failed_over() {
  std::string timeline = awaited_->timeline;
  try {
    on_primary_([&](Tx& tx) {
      tx.run({&position_sql, {}}, [&](const Row& row) { timeline = read_position(row).timeline; });
    });
  } catch (const Failure&) {
    return false;
  }
  return timeline != awaited_->timeline;
}

// If the primary does not answer, the reads find that out themselves.
void PgReplica::await_position() {
  std::string database;
  try {
    on_primary_([&](Tx& tx) {
      tx.run({&position_sql, {}}, [&](const Row& row) { awaited_ = read_position(row); });
      tx.run({&database_sql, {}}, [&](const Row& row) { database = row.text(0); });
    });
  } catch (const Failure&) {
    if (!awaited_) throw;
    return;
  }
  const std::lock_guard lock(mutex_);
  database_ = std::move(database);
  awaited_since_ = std::chrono::steady_clock::now();
}

State PgReplica::ask() {
  connection_->send(state_query(*awaited_));
  connection_->send_sync();
  const PgResult result = connection_->collect();
  State state = State::behind;
  hand_over(result.get(), [&](const Row& row) { state = state_in(row); });
  return state;
}

std::string replica_problem(const std::string& url, const std::string& read_url) {
  PgPosition position;
  std::string database;
  open_read_only(url)->read([&](Tx& tx) {
    tx.run({&position_sql, {}}, [&](const Row& row) { position = read_position(row); });
    tx.run({&database_sql, {}}, [&](const Row& row) { database = row.text(0); });
  });
  const auto replica = open_read_only(read_url);
  State state = State::behind;
  for (auto pause = first_pause; state == State::behind && pause < between_looks; pause *= 2) {
    std::this_thread::sleep_for(pause);
    replica->read([&](Tx& tx) {
      tx.run({&state_sql, {position.in_log, position.timeline, database}},
             [&](const Row& row) { state = state_in(row); });
    });
  }
  return std::string(sentence_of(state));
}

}  // namespace guildhall
