#pragma once

#include <atomic>
#include <boost/asio/io_context.hpp>
#include <memory>

#include "storage/sqlite/connection.h"

namespace guildhall {

// A loop's own reading connection. The queries of one turn of the loop share a snapshot, so that only the first one
// pays for the system calls that open and close it. A commit ends the snapshot, so that a query sees every write that
// was acknowledged before it. The end of the turn ends it too, so that an idle loop never keeps the log from being
// truncated.
class SqliteLoopReader {
 public:
  // The writer increments `commits` after each commit, before it acknowledges the commit.
  SqliteLoopReader(const std::string& path, boost::asio::io_context& loop, const std::atomic<std::uint64_t>& commits);

  void run(const Query& query, RowSink sink);

 private:
  struct Snapshot {
    explicit Snapshot(const std::string& path) : connection(path, SqliteConnection::Role::reader) {}
    void begin();
    void end();

    SqliteConnection connection;
    std::uint64_t commits = 0;  // the snapshot contains at least this many commits
  };

  boost::asio::io_context& loop_;
  const std::atomic<std::uint64_t>& commits_;
  std::shared_ptr<Snapshot> snapshot_;  // handlers on the loop refer to it weakly, and may outlive this object
};

}  // namespace guildhall
