#include "storage/postgres/engine.h"

#include "base/failure.h"
#include "base/ids.h"
#include "base/instant.h"
#include "storage/loop_inbox.h"
#include "storage/postgres/pooling.h"
#include "storage/postgres/reader.h"
#include "storage/postgres/replica.h"
#include "storage/postgres/workers.h"

namespace guildhall {
namespace {

const Sql ping_sql{"SELECT 1"};

// The probe commits without waiting for standby servers, since it must also tell when other commits wait for them.
const Sql commit_locally_sql{"SELECT set_config('synchronous_commit', 'local', true)"};
const Sql insert_probe_sql{"INSERT INTO write_probes (id) VALUES ($1)"};
const Sql delete_probe_sql{"DELETE FROM write_probes WHERE id = $1"};
const Sql commits_waiting_sql{
    "SELECT EXISTS (SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'SyncRep')"};

class PostgresStorage : public Storage {
 public:
  explicit PostgresStorage(const StorageOptions& options) : options_(options), silence_(options.silence_max) {
    refuse_transaction_pooling(options_.url, "DATABASE_URL");
    PgConnection check_that_the_server_answers(options_.url, silence_);
    workers_.emplace(options_, silence_);
    if (!options_.read_url.empty()) {
      replica_.emplace(options_, [this](FunctionRef<void(Tx&)> body) { read_now(body); });
    }
  }

  std::unique_ptr<Database> open(boost::asio::io_context& loop) override;
  void write_now(FunctionRef<void(Tx&)> body) override { run_and_wait(workers_->queue(), Job::Kind::write, body); }
  void read_now(FunctionRef<void(Tx&)> body) override { run_and_wait(workers_->queue(), Job::Kind::read, body); }
  void begin_stop() override {
    silence_.shorten();
    if (replica_) replica_->begin_stop();
  }
  void check() override {
    read_now([](Tx& tx) { tx.run({&ping_sql, {}}); });
  }
  std::string name() const override { return "postgresql"; }
  bool has_written_within(std::chrono::milliseconds time) const override {
    return workers_->last_commit().is_within(time);
  }
  std::vector<std::string> warnings() const override {
    return replica_ ? replica_->warnings() : std::vector<std::string>();
  }

 private:
  const StorageOptions options_;
  SilenceLimit silence_;
  std::optional<PgWorkers> workers_;
  std::optional<PgReplica> replica_;  // uses the workers
};

class PostgresDatabase : public Database {
 public:
  PostgresDatabase(const StorageOptions& options, boost::asio::io_context& loop, PgWorkers& workers, PgReplica* replica,
                   SilenceLimit& silence)
      : transactions_(workers.queue()),
        replica_(replica),
        inbox_(loop),
        reader_(std::make_shared<PgReader>(
            loop, options.url, options.queued_writes_max, silence,
            [this](const Query& query, RowSink sink) { return run_as_transaction(query, sink); })) {}
  ~PostgresDatabase() override { reader_->close(); }

  Task<Probe> probe() override {
    const std::string id = make_uuid(now());
    Probe probe;
    co_await write([&](Tx& tx) {
      tx.later({&commit_locally_sql, {}});
      tx.later({&insert_probe_sql, {id}});
      tx.later({&delete_probe_sql, {id}});
      tx.run({&commits_waiting_sql, {}}, [&](const Row& row) { probe.commits_wait_for_standby = row.boolean(0); });
    });
    co_return probe;
  }

 protected:
  Task<> run_query(const Query& query, RowSink sink) override { return reader_->run(query, sink); }
  Task<> run_write(FunctionRef<void(Tx&)> body, Reads reads) override {
    constexpr std::size_t queries_max = 8;
    std::vector<Query> queries = reads();
    if (queries.empty() || queries.size() > queries_max) return inbox_.run(transactions_, Job::Kind::write, body);
    return run_after_reading(std::move(queries), body);
  }
  Task<> run_read(FunctionRef<void(Tx&)> body) override { return inbox_.run(transactions_, Job::Kind::read, body); }
  Task<> run_read_to_show(FunctionRef<void(Tx&)> body) override {
    return replica_ == nullptr ? run_read(body) : run_on_either(body);
  }

 private:
  Task<> run_on_either(FunctionRef<void(Tx&)> body) {
    const bool done = replica_->is_usable() && co_await run_on_replica(body);
    replica_->count_read(done);
    if (!done) co_await run_read(body);
  }

  // The body itself reads what could not be read before, and reads everything itself when it runs again.
  Task<> run_after_reading(std::vector<Query> queries, FunctionRef<void(Tx&)> body) {
    std::vector<std::optional<PgRows>> found = co_await rows_to_keep(queries);
    co_await inbox_.run(transactions_, Job::Kind::write, [&](Tx& tx) {
      for (std::size_t i = 0; i < found.size(); ++i) {
        if (auto rows = std::exchange(found[i], std::nullopt)) {
          static_cast<PgTx&>(tx).has_read(std::move(queries[i]), *std::move(rows));
        }
      }
      body(tx);
    });
  }

  // Large results are not kept, since many transactions may wait.
  Task<std::vector<std::optional<PgRows>>> rows_to_keep(std::span<const Query> queries) {
    constexpr std::size_t bytes_max = 16 << 10;
    std::vector<std::optional<PgRows>> found;
    try {
      found = co_await reader_->rows_of(queries);
    } catch (const Failure& failure) {
      if (failure.kind != Failure::Kind::unavailable) throw;
    }
    for (auto& rows : found) {
      if (rows && PQresultMemorySize(rows->result.get()) > bytes_max) rows.reset();
    }
    co_return found;
  }

  // Returns false when the replica is behind, or could not run the body.
  Task<bool> run_on_replica(FunctionRef<void(Tx&)> body) {
    PgPosition committed;
    const Query query{&position_sql, {}};
    try {
      co_await reader_->run(query, [&](const Row& row) { committed = read_position(row); });
      co_await inbox_.run(replica_->queue(), Job::Kind::read, [&](Tx& tx) {
        replica_->require(static_cast<PgTx&>(tx), committed);
        body(tx);
      });
      co_return true;
    } catch (const Failure& failure) {
      if (failure.kind != Failure::Kind::unavailable) throw;  // that of the body
    } catch (const std::exception&) {
      // The primary reports the same error, if the replica is not its reason.
    }
    co_return false;
  }

  // Runs a read on a connection of the workers, for a loop that has none of its own.
  Task<> run_as_transaction(const Query& query, RowSink sink) {
    bool answered = false;  // the sink must not receive the rows twice
    co_await run_read([&](Tx& tx) {
      if (!answered) tx.run(query, sink);
      answered = true;
    });
  }

  JobQueue& transactions_;
  PgReplica* replica_;  // null without DATABASE_READ_URL
  LoopInbox inbox_;
  std::shared_ptr<PgReader> reader_;
};

std::unique_ptr<Database> PostgresStorage::open(boost::asio::io_context& loop) {
  return std::make_unique<PostgresDatabase>(options_, loop, *workers_, replica_ ? &*replica_ : nullptr, silence_);
}

}  // namespace

std::unique_ptr<Storage> open_postgres(const StorageOptions& options) {
  return std::make_unique<PostgresStorage>(options);
}

}  // namespace guildhall
