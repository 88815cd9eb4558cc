#include "features/operations/database_probe.h"

#include <gtest/gtest.h>

#include "base/failure.h"
#include "base/task.h"
#include "support/eventually.h"
#include "support/run_task.h"

namespace guildhall {
namespace {

using namespace std::chrono_literals;

// A database that answers probes as the test wants.
class ProbedDatabase : public Database {
 public:
  Task<Probe> probe() override {
    ++probes;
    while (frozen) co_await pause_for(1ms);
    if (broken) throw unavailable("The database does not answer.");
    co_return answer;
  }

  int probes = 0;
  bool frozen = false;
  bool broken = false;
  Probe answer;

 protected:
  Task<> run_query(const Query&, RowSink) override { co_return; }
  Task<> run_write(FunctionRef<void(Tx&)>, Reads) override { co_return; }
  Task<> run_read(FunctionRef<void(Tx&)>) override { co_return; }
};

class ProbedStorage : public Storage {
 public:
  std::unique_ptr<Database> open(boost::asio::io_context&) override { return nullptr; }
  void write_now(FunctionRef<void(Tx&)>) override {}
  void read_now(FunctionRef<void(Tx&)>) override {}
  void begin_stop() override {}
  void check() override {}
  std::string name() const override { return "probed"; }
  bool has_written_within(std::chrono::milliseconds) const override { return recently_written; }
  std::vector<std::string> warnings() const override { return disk_warnings; }

  bool recently_written = false;
  std::vector<std::string> disk_warnings;
};

class DatabaseProbes : public ::testing::Test {
 protected:
  DatabaseProbe::State state() {
    return loop.run([&]() -> Task<DatabaseProbe::State> { return probe.state(); });
  }

  ProbedDatabase db;
  ProbedStorage storage;
  test::LoopThread loop;
  Background background{loop.context()};
  DatabaseProbe probe{db, storage, background};
};

TEST_F(DatabaseProbes, find_a_database_that_can_be_written) {
  const auto found = state();
  EXPECT_TRUE(found.writable);
  EXPECT_TRUE(found.warnings.empty());
}

TEST_F(DatabaseProbes, find_one_that_cannot) {
  db.broken = true;
  EXPECT_FALSE(state().writable);
}

TEST_F(DatabaseProbes, give_up_on_one_that_does_not_answer_and_notice_when_it_does_again) {
  db.frozen = true;
  EXPECT_FALSE(state().writable);
  EXPECT_FALSE(state().writable);
  EXPECT_EQ(db.probes, 1) << "while one is under way, none is begun";
  loop.run([&]() -> Task<> {
    db.frozen = false;
    co_return;
  });
  EXPECT_TRUE(test::eventually([&] { return state().writable; }));
}

TEST_F(DatabaseProbes, are_not_a_way_to_flood_the_database) {
  for (int i = 0; i < 200; ++i) EXPECT_TRUE(state().writable);
  EXPECT_LT(db.probes, 100);
}

TEST_F(DatabaseProbes, are_not_needed_while_others_write) {
  db.frozen = true;
  storage.recently_written = true;
  EXPECT_TRUE(state().writable);
  loop.run([&]() -> Task<> {
    db.frozen = false;
    co_return;
  });
}

TEST_F(DatabaseProbes, warn_of_standby_servers_and_disks) {
  db.answer.commits_wait_for_standby = true;
  storage.disk_warnings = {"The disk is small."};
  const auto found = state();
  EXPECT_TRUE(found.writable);
  ASSERT_EQ(found.warnings.size(), 2u);
  EXPECT_EQ(found.warnings[0], "The disk is small.");
  EXPECT_NE(found.warnings[1].find("standby"), std::string::npos) << found.warnings[1];
}

}  // namespace
}  // namespace guildhall
