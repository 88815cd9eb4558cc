#include "storage/postgres/engine.h"

#include "storage/loop_inbox.h"
#include "storage/postgres/reader.h"
#include "storage/postgres/session.h"

namespace guildhall {
namespace {

const Sql ping_sql{"SELECT 1"};

// Transactions: a bounded number of threads, each with a connection of its own.
class PostgresStorage : public Storage {
 public:
  explicit PostgresStorage(const StorageOptions& options)
      : options_(options), transactions_(options.queued_writes_max) {
    PgConnection proves_that_the_server_answers(options_.url);
    for (int i = 0; i < options_.writer_connections_max; ++i) threads_.emplace_back([this] { work(); });
  }

  ~PostgresStorage() override {
    transactions_.close();
    for (std::thread& thread : threads_) thread.join();
  }

  std::unique_ptr<Database> open(boost::asio::io_context& loop) override;
  void write_now(FunctionRef<void(Tx&)> body) override { run_and_wait(transactions_, Job::Kind::write, body); }
  void check() override {
    run_and_wait(transactions_, Job::Kind::read, [](Tx& tx) { tx.run({&ping_sql, {}}); });
  }
  std::string name() const override { return "postgresql"; }

 private:
  void work() {
    PgSession session(options_.url);
    while (Job* job = transactions_.pop()) {
      try {
        session.run(*job);
      } catch (...) {
        job->error = std::current_exception();
      }
      job->waiter.finished({job});
    }
  }

  const StorageOptions options_;
  JobQueue transactions_;
  std::vector<std::thread> threads_;
};

class PostgresDatabase : public Database {
 public:
  PostgresDatabase(const StorageOptions& options, boost::asio::io_context& loop, JobQueue& transactions)
      : transactions_(transactions),
        inbox_(loop),
        reader_(std::make_shared<PgReader>(loop, options.url, options.queued_writes_max)) {}
  ~PostgresDatabase() override { reader_->close(); }

 protected:
  Task<> run_query(const Query& query, RowSink sink) override { return reader_->run(query, sink); }
  Task<> run_write(FunctionRef<void(Tx&)> body) override { return inbox_.run(transactions_, Job::Kind::write, body); }
  Task<> run_read(FunctionRef<void(Tx&)> body) override { return inbox_.run(transactions_, Job::Kind::read, body); }

 private:
  JobQueue& transactions_;
  LoopInbox inbox_;
  std::shared_ptr<PgReader> reader_;
};

std::unique_ptr<Database> PostgresStorage::open(boost::asio::io_context& loop) {
  return std::make_unique<PostgresDatabase>(options_, loop, transactions_);
}

}  // namespace

std::unique_ptr<Storage> open_postgres(const StorageOptions& options) {
  return std::make_unique<PostgresStorage>(options);
}

}  // namespace guildhall
