#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "storage/database.h"

namespace guildhall {

constexpr std::string_view sqlite_prefix = "sqlite:";  // of the address of a SQLite database

class Metrics;

struct StorageOptions {
  std::string url;                  // sqlite:<path> or postgresql://…
  std::string read_url{};           // PostgreSQL: a replica for read_to_show(); empty: none
  int writer_connections_max = 16;  // PostgreSQL: the number of threads and connections for transactions
  int queued_writes_max = 10'000;   // further transactions are refused with Failure unavailable
  bool gathered_log = true;         // SQLite: a commit writes its part of the log in one piece (docs/adr/0004)
  // PostgreSQL: a server that sends nothing for this long counts as down, and so does one for which a transaction has
  // waited this long in the queue. It is longer than the time limit of a statement on the server.
  std::chrono::milliseconds silence_max{12'000};
  Metrics* metrics = nullptr;  // where the engine shows its queues, commits and connections; must outlive the storage
};

// A storage engine of this process: SQLite's threads or PostgreSQL's pool of connections. It must outlive its handles;
// its destructor finishes the queued transactions. Safe to use from several threads.
class Storage {
 public:
  virtual ~Storage() = default;

  // Opens a loop's own handle. The handle must not outlive the storage, nor be used outside the loop's thread.
  virtual std::unique_ptr<Database> open(boost::asio::io_context& loop) = 0;

  // Runs a transaction and blocks the calling thread until it has ended. For background threads, the command line,
  // start-up and tests; never call it from a loop.
  virtual void write_now(FunctionRef<void(Tx&)> body) = 0;

  // The same for a transaction that only reads, on one snapshot. On SQLite it runs on a reading connection, so that it
  // neither waits for the only writer nor keeps it busy.
  virtual void read_now(FunctionRef<void(Tx&)> body) = 0;

  // To be called when the process is about to end: from then on no call, including those in progress, waits longer than
  // five seconds for a server that does not answer.
  virtual void begin_stop() = 0;

  // Throws an exception with a sentence for the operator when the engine does not answer. Blocks; never call it
  // from a loop.
  virtual void check() = 0;

  virtual std::string name() const = 0;  // "sqlite" or "postgresql"

  // True when the last writing transaction succeeded and ended within this time.
  virtual bool has_written_within(std::chrono::milliseconds time) const = 0;

  // Sentences for the operator about problems that are about to occur, such as a disk that is nearly full.
  virtual std::vector<std::string> warnings() const = 0;
};

// The database's server cannot be reached, or accepts no connections. It may do so later.
class DatabaseUnreachable : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Opens the engine that the URL names, without migrating. Throws DatabaseUnreachable, or another std::runtime_error
// with a sentence for the operator: a wrong URL, a SQLite file that another process is using.
std::unique_ptr<Storage> open_storage(const StorageOptions& options);

// Read-only access to an existing database, for commands that inspect it. It creates, migrates and locks nothing, so it
// works while a server is running. Used by one thread.
class ReadOnlyDatabase {
 public:
  virtual ~ReadOnlyDatabase() = default;

  // Runs the body once, on one snapshot of the database, without a time limit. Rethrows the exception of the body;
  // throws std::runtime_error with a sentence for the operator when the database cannot be read to the end.
  virtual void read(FunctionRef<void(Tx&)> body) = 0;

  virtual std::string name() const = 0;  // "sqlite" or "postgresql"
};

// Throws std::runtime_error with a sentence for the operator: a wrong URL, a SQLite file that does not exist, a server
// that does not answer.
std::unique_ptr<ReadOnlyDatabase> open_read_only(const std::string& url);

// PostgreSQL: a sentence that says why lists cannot be read from `read_url`, which should be a replica of `url`. Empty
// if they can. Throws as open_read_only().
std::string replica_problem(const std::string& url, const std::string& read_url);

}  // namespace guildhall
