#include <future>
#include <latch>

#include "base/failure.h"
#include "storage/sqlite/faulty_disk.h"
#include "support/engines.h"
#include "support/eventually.h"
#include "support/run_task.h"

namespace guildhall {
namespace {

const Sql make_words_table{
    "CREATE TABLE notes (id bigint NOT NULL, words text NOT NULL, CONSTRAINT notes_pkey PRIMARY KEY (id))"};
const Sql insert_words{"INSERT INTO notes (id, words) VALUES ($1, $2)"};
const Sql update_notes{"UPDATE notes SET words = $1"};
const Sql count_words{"SELECT count(*) FROM notes"};

class OnFaultyDisk : public ::testing::Test {
 protected:
  OnFaultyDisk() {
    storage->write_now([](Tx& tx) { tx.run({&make_words_table, {}}); });
  }

  void note(std::int64_t id) {
    storage->write_now([&](Tx& tx) { tx.run({&insert_words, {id, "words"}}); });
  }

  std::int64_t count() {
    test::LoopThread loop;
    auto db = storage->open(loop.context());
    return *loop.run([&]() -> Task<std::optional<std::int64_t>> {
      return db->one(Select<std::int64_t>{{&count_words, {}}, [](const Row& row) { return row.integer(0); }});
    });
  }

  test::FaultyDisk disk;
  test::TemporaryFolder folder;
  std::unique_ptr<Storage> storage = open_storage({.url = "sqlite:" + (folder.path / "a.db").string()});
};

using GroupCommit = OnFaultyDisk;
using FullDisk = OnFaultyDisk;
using FailedSyncDeathTest = OnFaultyDisk;
using Checkpoints = OnFaultyDisk;

TEST_F(GroupCommit, completes_many_writes_with_one_sync_and_only_after_it) {
  constexpr int writes = 100;
  std::latch running(1);
  std::latch go_on(1);
  std::thread blocker([&] {
    storage->write_now([&](Tx&) {
      running.count_down();
      go_on.wait();
    });
  });
  running.wait();

  test::LoopThread loop;
  auto db = storage->open(loop.context());
  std::atomic<int> completed = 0;
  std::atomic<int> syncs = 0;
  std::atomic<int> completed_before_sync = 0;
  disk.set_before_sync([&] {
    ++syncs;
    completed_before_sync += completed;
  });
  std::vector<std::future<void>> done;
  for (std::int64_t id = 0; id < writes; ++id) {
    done.push_back(loop.start([&, id]() -> Task<> {
      co_await db->write([&](Tx& tx) { tx.run({&insert_words, {id, "words"}}); });
      ++completed;
    }));
  }
  loop.run([]() -> Task<> { co_return; });  // by now all of them are queued
  go_on.count_down();
  for (auto& each : done) each.get();
  blocker.join();
  disk.set_before_sync([] {});
  EXPECT_EQ(syncs, 1);
  EXPECT_EQ(completed_before_sync, 0);
  EXPECT_EQ(count(), writes);
  db.reset();
}

TEST(WithoutGatheredLog, commits_are_kept_and_both_ways_read_each_other) {
  const test::TemporaryFolder folder;
  const std::string url = "sqlite:" + (folder.path / "a.db").string();
  std::int64_t id = 0;
  for (const bool gathered : {false, true, false}) {
    const auto storage = open_storage({.url = url, .gathered_log = gathered});
    if (id == 0) storage->write_now([](Tx& tx) { tx.run({&make_words_table, {}}); });
    storage->write_now([&](Tx& tx) { tx.run({&insert_words, {++id, "words"}}); });
    EXPECT_ANY_THROW(storage->write_now([&](Tx& tx) {
      tx.run({&insert_words, {99, "words"}});
      throw std::runtime_error("undone");
    }));
    storage->read_now([&](Tx& tx) {
      tx.run({&count_words, {}}, [&](const Row& row) { EXPECT_EQ(row.integer(0), id); });
    });
  }
}

TEST_F(FullDisk, acknowledges_nothing_and_recovers) {
  for (int result : {SQLITE_FULL, SQLITE_IOERR_WRITE}) {
    note(result);
    std::int64_t before = count();
    disk.write_result = result;
    for (std::int64_t id = 1; id <= 5; ++id) {
      try {
        note(id);
        ADD_FAILURE() << "acknowledged";
      } catch (const Failure& failure) {
        EXPECT_EQ(failure.kind, Failure::Kind::unavailable);
      }
    }
    disk.write_result = SQLITE_OK;
    EXPECT_EQ(count(), before);
    note(1000 + result);
    EXPECT_EQ(count(), before + 1);
  }
}

TEST_F(FullDisk, fails_every_write_of_the_batch) {
  test::LoopThread loop;
  auto db = storage->open(loop.context());
  disk.write_result = SQLITE_FULL;
  std::vector<std::future<void>> done;
  for (std::int64_t id = 0; id < 50; ++id) {
    done.push_back(loop.start([&, id]() -> Task<> {
      return db->write([&, id](Tx& tx) { tx.run({&insert_words, {id % 40, "words"}}); });
    }));
  }
  for (auto& each : done) EXPECT_ANY_THROW(each.get());
  disk.write_result = SQLITE_OK;
  EXPECT_EQ(count(), 0);
  db.reset();
}

TEST_F(FailedSyncDeathTest, ends_the_process) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        disk.sync_result = SQLITE_IOERR_FSYNC;
        note(1);
      },
      ::testing::ExitedWithCode(74), "failed to sync");
}

TEST_F(Checkpoints, keep_the_log_short_under_load) {
  storage->write_now([](Tx& tx) {
    for (std::int64_t id = 0; id < 500; ++id) tx.run({&insert_words, {id, std::string(4000, 'x')}});
  });
  std::uintmax_t longest = 0;
  for (char letter = 'a'; letter <= 'z'; ++letter) {
    for (int round = 0; round < 2; ++round) {
      storage->write_now([&](Tx& tx) { tx.run({&update_notes, {std::string(4000, letter)}}); });
      longest = std::max(longest, std::filesystem::file_size(folder.path / "a.db-wal"));
    }
  }
  // 26,000 pages were written; the log may contain about 8,000 and those of one more transaction.
  EXPECT_LT(longest, 10'000u * 4'200u);
}

TEST_F(Checkpoints, happen_when_the_writer_is_idle) {
  for (std::int64_t id = 0; id < 10; ++id) {
    storage->write_now([&](Tx& tx) { tx.run({&insert_words, {id, std::string(40'000, 'x')}}); });
  }
  EXPECT_TRUE(test::eventually([&] { return std::filesystem::file_size(folder.path / "a.db") > 300'000u; }));
}

}  // namespace
}  // namespace guildhall
