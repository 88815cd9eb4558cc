#include "storage/sqlite/readers.h"

#include "base/failure.h"
#include "storage/sqlite/transaction.h"

namespace guildhall {
namespace {

const Sql begin_read_sql{"BEGIN"};
const Sql end_read_sql{"COMMIT"};
const Sql roll_back_read_sql{"ROLLBACK"};

void run_on_snapshot(SqliteConnection& connection, const Job& job) {
  if (job.waiter.is_closing()) throw unavailable("The service is shutting down.");
  connection.run(begin_read_sql);
  try {
    SqliteTx tx(connection);
    job.run(tx);
    tx.check();
    connection.run(end_read_sql);
  } catch (...) {
    if (connection.in_transaction()) connection.run(roll_back_read_sql);
    throw;
  }
}

}  // namespace

SqliteReaders::SqliteReaders(std::string path, int threads, int queued_max)
    : queue_(queued_max), path_(std::move(path)) {
  for (int i = 0; i < threads; ++i) threads_.emplace_back([this] { work(); });
}

SqliteReaders::~SqliteReaders() {
  queue_.close();
  for (std::thread& thread : threads_) thread.join();
}

void SqliteReaders::work() {
  std::optional<SqliteConnection> connection;
  while (Job* job = queue_.pop()) {
    try {
      if (!connection) connection.emplace(path_, SqliteConnection::Role::reader);
      run_on_snapshot(*connection, *job);
    } catch (...) {
      job->error = std::current_exception();
    }
    job->waiter.finished({job});
  }
}

}  // namespace guildhall
