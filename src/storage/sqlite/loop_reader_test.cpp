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
  std::int64_t count() {
    std::int64_t counted = -1;
    reader.run({&count_sql, {}}, [&](const Row& row) { counted = row.integer(0); });
    return counted;
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
  writer.run(insert_sql);  // and nobody has been told yet
  EXPECT_EQ(count(), 0);
  loop.poll();
  EXPECT_EQ(count(), 1);
}

TEST_F(LoopReader, lets_the_log_start_anew_between_turns) {
  EXPECT_EQ(count(), 0);
  loop.poll();
  writer.run(insert_sql);
  int in_log = 0, moved = 0;
  EXPECT_EQ(sqlite3_wal_checkpoint_v2(writer.handle(), "main", SQLITE_CHECKPOINT_TRUNCATE, &in_log, &moved), SQLITE_OK);
}

TEST_F(LoopReader, may_end_before_its_turn_does) {
  {
    SqliteLoopReader short_lived{path, loop, commits};
    short_lived.run({&count_sql, {}}, [](const Row&) {});
  }
  loop.poll();
}

}  // namespace
}  // namespace guildhall
