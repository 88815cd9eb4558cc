#include "storage/sqlite/loop_reader.h"

#include <boost/asio/post.hpp>

namespace guildhall {
namespace {

const Sql begin_turn_sql{"BEGIN"};
const Sql end_turn_sql{"COMMIT"};

}  // namespace

void SqliteLoopReader::Snapshot::begin() {
  connection.run(begin_turn_sql);
}

void SqliteLoopReader::Snapshot::end() {
  if (connection.in_transaction()) connection.run(end_turn_sql);
}

SqliteLoopReader::SqliteLoopReader(const std::string& path, boost::asio::io_context& loop,
                                   const std::atomic<std::uint64_t>& commits)
    : loop_(loop), commits_(commits), snapshot_(std::make_shared<Snapshot>(path)) {}

void SqliteLoopReader::run(const Query& query, RowSink sink) {
  const std::uint64_t commits = commits_.load(std::memory_order_acquire);
  const bool open = snapshot_->connection.in_transaction();
  if (open && snapshot_->commits != commits) snapshot_->end();
  if (!open || snapshot_->commits != commits) snapshot_->begin();
  snapshot_->commits = commits;
  if (!open) {
    boost::asio::post(loop_, [weak = std::weak_ptr(snapshot_)] {
      if (const auto snapshot = weak.lock()) snapshot->end();
    });
  }
  snapshot_->connection.run(query, sink);
}

}  // namespace guildhall
