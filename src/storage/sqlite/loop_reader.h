#pragma once

#include <atomic>
#include <boost/asio/io_context.hpp>
#include <memory>

#include "storage/sqlite/connection.h"

namespace guildhall {

// A loop's own reading connection. What one turn of the loop asks shares a snapshot, which spares all but the first
// query the system calls that open and close one. A commit ends the snapshot, so that nobody misses what was
// acknowledged before they asked; the end of the turn does, so that an idle loop never holds the log.
class SqliteLoopReader {
 public:
  // `commits` is counted up by the writer after each commit, before anybody hears of it.
  SqliteLoopReader(const std::string& path, boost::asio::io_context& loop, const std::atomic<std::uint64_t>& commits);

  void run(const Query& query, RowSink sink);

 private:
  struct Snapshot {
    explicit Snapshot(const std::string& path) : connection(path, SqliteConnection::Role::reader) {}
    void begin();
    void end();

    SqliteConnection connection;
    std::uint64_t commits = 0;  // that it is sure to show
  };

  boost::asio::io_context& loop_;
  const std::atomic<std::uint64_t>& commits_;
  std::shared_ptr<Snapshot> snapshot_;  // shared only with a handler that may come after our end
};

}  // namespace guildhall
