#include "storage/sqlite/gathered_log.h"

#include <fstream>
#include <gtest/gtest.h>

#include "storage/sqlite/connection.h"
#include "storage/sqlite/faulty_disk.h"
#include "support/engines.h"

namespace guildhall {
namespace {

const Sql create{"CREATE TABLE notes (id integer PRIMARY KEY, words text)"};
const Sql begin{"BEGIN IMMEDIATE"};
const Sql commit{"COMMIT"};
const Sql roll_back{"ROLLBACK"};
const Sql insert{"INSERT INTO notes (id, words) VALUES ($1, $2)"};
const Sql sum{"SELECT COUNT(*), COALESCE(SUM(length(words)), 0) FROM notes"};
const Sql check{"PRAGMA integrity_check"};
constexpr std::int64_t words_size = 5'000;

class GatheredLogs : public ::testing::Test {
 protected:
  test::TemporaryFolder folder;
  std::string path = (folder.path / "a.db").string();
  test::FaultyDisk disk;
  GatheredLog log;

  // A small cache, so that most pages of a transaction leave it before the transaction ends, and are read again from
  // the log.
  static void shrink_cache(SqliteConnection& connection) { connection.run_script("PRAGMA cache_size = 10;"); }

  static void add(SqliteConnection& connection, std::int64_t from, std::int64_t to) {
    for (std::int64_t id = from; id < to; ++id) {
      connection.run({&insert, {id, std::string(words_size, static_cast<char>('a' + id % 26))}}, [](const Row&) {});
    }
  }

  static std::int64_t notes(SqliteConnection& connection) {
    std::int64_t count = -1;
    connection.run({&sum, {}}, [&](const Row& row) {
      count = row.integer(0);
      EXPECT_EQ(row.integer(1), count * words_size);
    });
    return count;
  }

  static std::string integrity(SqliteConnection& connection) {
    std::string answer;
    connection.run({&check, {}}, [&](const Row& row) { answer += row.text(0); });
    return answer;
  }

  SqliteConnection open_writer() {
    { const std::ofstream made(path); }
    return {path, SqliteConnection::Role::writer, log.name()};
  }
};

TEST_F(GatheredLogs, show_a_transaction_its_own_pages_and_others_only_committed_ones) {
  SqliteConnection writer = open_writer();
  shrink_cache(writer);
  writer.run(create);
  SqliteConnection reader(path, SqliteConnection::Role::reader);
  for (std::int64_t round = 0; round < 5; ++round) {
    const std::int64_t had = round * 500;
    writer.run(begin);
    add(writer, had, had + 500);  // 2.5 MB, several times the size of the buffer
    EXPECT_EQ(notes(writer), had + 500);
    EXPECT_EQ(notes(reader), had);
    writer.run(commit);
    EXPECT_EQ(notes(reader), had + 500);
    EXPECT_EQ(sqlite3_wal_checkpoint_v2(writer.handle(), "main", SQLITE_CHECKPOINT_PASSIVE, nullptr, nullptr),
              SQLITE_OK);
    EXPECT_EQ(notes(reader), had + 500);
  }
  EXPECT_EQ(integrity(reader), "ok");
}

TEST_F(GatheredLogs, fail_the_whole_transaction_wherever_the_disk_is_full) {
  SqliteConnection writer = open_writer();
  shrink_cache(writer);
  writer.run(create);
  for (std::int64_t round = 0; round < 30; ++round) {
    writer.run(begin);
    add(writer, 0, 20 + 17 * round);  // most of it has left the cache
    disk.write_result = SQLITE_FULL;
    if (round % 2 == 0) {
      EXPECT_ANY_THROW(add(writer, 1'000, 1'400));
    } else {
      EXPECT_ANY_THROW(notes(writer));  // reads pages that could not be written yet
    }
    disk.write_result = SQLITE_OK;
    EXPECT_FALSE(writer.in_transaction());
    add(writer, 10'000 + round, 10'001 + round);
    SqliteConnection reader(path, SqliteConnection::Role::reader);
    EXPECT_EQ(notes(reader), round + 1);
    EXPECT_EQ(integrity(reader), "ok");
  }
}

// The write of a second program, which plain SQLite allows, must not be overwritten later.
TEST_F(GatheredLogs, write_nothing_of_a_transaction_that_was_rolled_back) {
  SqliteConnection writer = open_writer();
  shrink_cache(writer);
  sqlite3_rollback_hook(
      writer.handle(), [](void* rolled_back) { static_cast<GatheredLog*>(rolled_back)->discard(); }, &log);
  writer.run(create);
  for (std::int64_t round = 0; round < 10; ++round) {
    writer.run(begin);
    add(writer, 0, 50 + round);  // most of it has left the cache
    writer.run(roll_back);
    SqliteConnection other(path, SqliteConnection::Role::writer);
    add(other, 1'000 + round, 1'001 + round);
    add(writer, 2'000 + round, 2'001 + round);
    SqliteConnection reader(path, SqliteConnection::Role::reader);
    EXPECT_EQ(notes(reader), 2 * (round + 1));
    EXPECT_EQ(integrity(reader), "ok");
  }
}

TEST_F(GatheredLogs, drop_pages_that_could_not_be_written) {
  SqliteConnection writer = open_writer();
  shrink_cache(writer);
  writer.run(create);
  for (int round = 1; round <= 20; ++round) {
    writer.run(begin);
    disk.write_result = SQLITE_FULL;
    EXPECT_ANY_THROW({
      add(writer, 0, round * 5);
      writer.run(commit);
    }) << round;
    disk.write_result = SQLITE_OK;
    if (writer.in_transaction()) writer.run(roll_back);
    EXPECT_EQ(notes(writer), round - 1);
    add(writer, 1'000 + round, 1'001 + round);
    SqliteConnection reader(path, SqliteConnection::Role::reader);
    EXPECT_EQ(notes(reader), round);
    EXPECT_EQ(integrity(reader), "ok");
  }
}

}  // namespace
}  // namespace guildhall
