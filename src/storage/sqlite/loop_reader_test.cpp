#include "storage/sqlite/loop_reader.h"

#include <fstream>
#include <gtest/gtest.h>

#include "support/engines.h"

namespace guildhall {
namespace {

const Sql insert_sql{"INSERT INTO things VALUES (1)"};
const Sql count_sql{"SELECT COUNT(*) FROM things"};

class LoopReader : public ::testing::Test {
 protected:
  LoopReader() { writer.run_script("CREATE TABLE things (id bigint)"); }

  static std::string made(const std::string& path) {
    std::ofstream{path};
    return path;
  }
  std::int64_t count() { return count_with(reader); }

  static std::int64_t count_with(SqliteLoopReader& reader) {
    std::int64_t counted = -1;
    reader.run({&count_sql, {}}, [&](const Row& row) { counted = row.integer(0); });
    return counted;
  }

  // Moves the whole log into the database, which fails while a reader holds a snapshot.
  int truncate_log() {
    int in_log = 0, moved = 0;
    return sqlite3_wal_checkpoint_v2(writer.handle(), "main", SQLITE_CHECKPOINT_TRUNCATE, &in_log, &moved);
  }

  test::TemporaryFolder folder;
  const std::string path = made((folder.path / "test.db").string());
  SqliteConnection writer{path, SqliteConnection::Role::writer};
  boost::asio::io_context loop;
  std::atomic<std::uint64_t> commits = 0;
  SqliteLoopReader reader{path, loop, commits};
};

TEST_F(LoopReader, sees_a_commit_as_soon_as_it_is_counted) {
  EXPECT_EQ(count(), 0);
  writer.run(insert_sql);
  ++commits;
  EXPECT_EQ(count(), 1);
}

TEST_F(LoopReader, keeps_its_snapshot_for_a_turn_of_the_loop_only) {
  EXPECT_EQ(count(), 0);
  writer.run(insert_sql);  // the commit has not been counted yet
  EXPECT_EQ(count(), 0);
  loop.poll();
  EXPECT_EQ(count(), 1);
}

TEST_F(LoopReader, lets_the_log_be_truncated_between_turns) {
  EXPECT_EQ(count(), 0);
  loop.poll();
  writer.run(insert_sql);
  EXPECT_EQ(truncate_log(), SQLITE_OK);
}

TEST_F(LoopReader, may_be_destroyed_before_its_turn_of_the_loop_ends) {
  writer.run(insert_sql);
  {
    SqliteLoopReader short_lived{path, loop, commits};
    EXPECT_EQ(count_with(short_lived), 1);
  }
  EXPECT_EQ(loop.poll(), 1U) << "the handler that ends the snapshot finds no reader";
  writer.run(insert_sql);
  EXPECT_EQ(truncate_log(), SQLITE_OK) << "the snapshot has ended with its reader";
}

}  // namespace
}  // namespace guildhall
