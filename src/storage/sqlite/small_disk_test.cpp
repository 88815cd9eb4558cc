#include "support/small_disk.h"

#include <fstream>

#include "base/failure.h"
#include "storage/sqlite/disk_space.h"

namespace guildhall {
namespace {

const Sql make_table{"CREATE TABLE notes (id integer PRIMARY KEY, words text NOT NULL)"};
const Sql insert_note{"INSERT INTO notes (words) VALUES ($1)"};
const Sql count_notes{"SELECT count(*) FROM notes"};

constexpr int disk_mebibytes = 32;
constexpr std::size_t note_bytes = 40'000;

class SmallDisks : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!disk.is_mounted()) GTEST_SKIP() << "no right to mount a file system";
    open();
    storage->write_now([](Tx& tx) { tx.run({&make_table, {}}); });
  }

  void open() { storage = open_storage({.url = "sqlite:" + (disk.path() / "a.db").string()}); }

  bool note() {
    try {
      storage->write_now([](Tx& tx) { tx.run({&insert_note, {std::string(note_bytes, 'x')}}); });
      return true;
    } catch (const Failure& failure) {
      EXPECT_EQ(failure.kind, Failure::Kind::unavailable);
      return false;
    }
  }

  // Writes until nothing more can be written for a while; returns how many notes were acknowledged.
  std::int64_t fill() {
    std::int64_t acknowledged = 0;
    for (int refused = 0; refused < 20;) note() ? void(++acknowledged) : void(++refused);
    return acknowledged;
  }

  std::int64_t count() {
    std::int64_t found = -1;
    storage->read_now([&](Tx& tx) { tx.run({&count_notes, {}}, [&](const Row& row) { found = row.integer(0); }); });
    return found;
  }

  test::SmallDisk disk{disk_mebibytes};
  std::unique_ptr<Storage> storage;
};

// Without the reserve file, the log was as large as the database file, and neither could grow any more.
TEST_F(SmallDisks, are_filled_with_data_and_not_with_the_log) {
  const std::int64_t acknowledged = fill();
  EXPECT_EQ(count(), acknowledged);
  EXPECT_GT(acknowledged * static_cast<std::int64_t>(note_bytes), disk_mebibytes * 1024 * 1024 * 3 / 4);
}

TEST_F(SmallDisks, that_are_full_work_again_when_there_is_space) {
  std::ofstream(disk.path() / "ballast") << std::string(8 << 20, 'x');
  std::int64_t acknowledged = fill();
  ASSERT_EQ(storage->warnings().size(), 1u);
  EXPECT_NE(storage->warnings()[0].find("full"), std::string::npos);
  EXPECT_EQ(count(), acknowledged) << "reads go on";
  std::filesystem::remove(disk.path() / "ballast");
  EXPECT_TRUE(note());
  EXPECT_EQ(count(), acknowledged + 1);
}

TEST_F(SmallDisks, that_are_full_can_be_opened_again) {
  std::ofstream(disk.path() / "ballast") << std::string(8 << 20, 'x');
  const std::int64_t acknowledged = fill();
  storage.reset();
  std::ofstream(disk.path() / "last bytes") << std::string(32 << 20, 'x');  // fills the disk
  open();
  EXPECT_EQ(count(), acknowledged);
  EXPECT_FALSE(note());
  std::filesystem::remove(disk.path() / "ballast");
  EXPECT_TRUE(note());
  EXPECT_EQ(count(), acknowledged + 1);
}

TEST_F(SmallDisks, are_reported_before_they_are_full) {
  EXPECT_TRUE(storage->warnings().empty());
  while (!disk_space(disk.path().string()).is_low()) ASSERT_TRUE(note());
  ASSERT_EQ(storage->warnings().size(), 1u);
  EXPECT_NE(storage->warnings()[0].find("nearly full"), std::string::npos) << storage->warnings()[0];
}

TEST(Logs, are_shorter_where_little_space_is_left) {
  constexpr std::uint64_t gibibyte = 1024 * 1024 * 1024;
  EXPECT_EQ(log_pages_max({.total = 100 * gibibyte, .free = 50 * gibibyte}), 8'000);
  EXPECT_EQ(log_pages_max({.total = 100 * gibibyte, .free = gibibyte / 32}), 1'024);
  EXPECT_EQ(log_pages_max({.total = gibibyte, .free = 0}), 250);
}

}  // namespace
}  // namespace guildhall
