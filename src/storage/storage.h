#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "storage/database.h"

namespace guildhall {

struct StorageOptions {
  std::string url;                  // sqlite:<path> or postgresql://…
  int writer_connections_max = 16;  // PostgreSQL: threads and connections for transactions
  int queued_writes_max = 10'000;   // more waiting in a queue are refused with Failure unavailable
  // PostgreSQL: a server that sends nothing for this long counts as down, and so does one that lets a transaction wait
  // this long in the queue. Longer than the limit that the server itself sets to a statement.
  std::chrono::milliseconds silence_max{12'000};
};

// A storage engine of this process: SQLite's writer thread or PostgreSQL's pool of connections. It must
// outlive its handles; its destructor finishes what is still queued. Safe to use from several threads.
class Storage {
 public:
  virtual ~Storage() = default;

  // A loop's own handle. It must not outlive the storage, nor be used outside the loop's thread.
  virtual std::unique_ptr<Database> open(boost::asio::io_context& loop) = 0;

  // A transaction that the calling thread waits for: the command line, start-up and tests. Never from a loop.
  virtual void write_now(FunctionRef<void(Tx&)> body) = 0;

  // The same for a transaction that only reads. On SQLite it does not occupy the only writer.
  virtual void read_now(FunctionRef<void(Tx&)> body) = 0;

  // The process is about to end: from now on nothing waits longer than five seconds for a server that does not answer,
  // including calls that are under way.
  virtual void begin_stop() = 0;

  // Throws with a sentence for the operator when the engine does not answer. Blocks, so never from a loop
  // either.
  virtual void check() = 0;

  virtual std::string name() const = 0;  // "sqlite" or "postgresql"

  // True when the last writing transaction succeeded, and did so within this time.
  virtual bool has_written_within(std::chrono::milliseconds time) const = 0;

  // Sentences for the operator about trouble that is near: a disk that is nearly full.
  virtual std::vector<std::string> warnings() const = 0;
};

// Opens the engine that the URL names, without migrating. Throws std::runtime_error with a sentence for the
// operator: a wrong URL, a server that does not answer, a SQLite file that another process is using.
std::unique_ptr<Storage> open_storage(const StorageOptions& options);

}  // namespace guildhall
