#include <future>

#include "base/failure.h"
#include "support/engines.h"
#include "support/eventually.h"
#include "support/run_task.h"

namespace guildhall {
namespace {

using test::TemporarySchema;

const Sql make_table{"CREATE TABLE notes (id bigint NOT NULL, CONSTRAINT notes_pkey PRIMARY KEY (id))"};
const Sql insert_note{"INSERT INTO notes (id) VALUES ($1)"};
const Sql select_note{"SELECT id FROM notes WHERE id = $1"};
const Sql take_a_moment{"SELECT pg_sleep(0.005)"};
const Sql end_own_connection{"SELECT pg_terminate_backend(pg_backend_pid())"};

Query note(std::int64_t id) {
  return {&insert_note, {id}};
}

Select<std::int64_t> find(std::int64_t id) {
  return {{&select_note, {id}}, [](const Row& row) { return row.integer(0); }};
}

// The storage uses a role of its own, so that a test can prevent it alone from connecting.
class OwnRole {
 public:
  OwnRole() {
    TemporarySchema::execute("CREATE ROLE " + name() + " LOGIN; GRANT ALL ON SCHEMA " + schema.name + " TO " + name());
  }
  OwnRole(const OwnRole&) = delete;
  OwnRole& operator=(const OwnRole&) = delete;
  ~OwnRole() {
    TemporarySchema::execute("SET client_min_messages = warning; DROP OWNED BY " + name() + " CASCADE; DROP ROLE " +
                             name());
  }

  std::string name() const { return schema.name + "_role"; }
  std::string url() const { return schema.url() + "&user=" + name(); }

  // Make the server look stopped and started again to the storage.
  void shut_out() const {
    TemporarySchema::execute("ALTER ROLE " + name() + " NOLOGIN");
    schema.terminate_connections();
  }
  void let_in() const { TemporarySchema::execute("ALTER ROLE " + name() + " LOGIN"); }

  void limit_connections(int count) const {
    TemporarySchema::execute("ALTER ROLE " + name() + " CONNECTION LIMIT " + std::to_string(count));
    // Until none is left: one that is ending still counts, and one may just have been made.
    EXPECT_TRUE(test::eventually([&] { return schema.terminate_connections() == 0; }));
  }

  TemporarySchema schema;
};

class BrokenConnection : public ::testing::Test {
 protected:
  BrokenConnection() {
    storage->write_now([](Tx& tx) { tx.run({&make_table, {}}); });
  }
  ~BrokenConnection() override { loop.stop(); }

  bool exists(std::int64_t id) {
    return loop.run([&]() -> Task<std::optional<std::int64_t>> { return db->one(find(id)); }).has_value();
  }

  // Reads and writes until both succeed.
  void recover() {
    EXPECT_TRUE(test::eventually([&] {
      try {
        loop.run([&]() -> Task<> {
          co_await db->one(find(1));
          co_await db->write([](Tx& tx) { tx.run({&select_note, {std::int64_t{1}}}); });
        });
        return true;
      } catch (const Failure&) {
        return false;
      }
    }));
  }

  OwnRole role;
  const TemporarySchema& schema = role.schema;
  std::unique_ptr<Storage> storage = open_storage({.url = role.url(), .writer_connections_max = 4});
  test::LoopThread loop;
  std::unique_ptr<Database> db = storage->open(loop.context());
};

TEST_F(BrokenConnection, that_was_idle_is_replaced_without_an_error) {
  EXPECT_FALSE(exists(1));
  EXPECT_GE(schema.terminate_connections(), 2);
  EXPECT_FALSE(exists(1));
  for (std::int64_t id = 1; id <= 10; ++id) storage->write_now([&](Tx& tx) { tx.later(note(id)); });
  EXPECT_TRUE(exists(10));
}

TEST_F(BrokenConnection, before_the_commit_lets_the_body_run_again) {
  int runs = 0;
  storage->write_now([&](Tx& tx) {
    tx.run(note(1));
    if (++runs == 1) tx.run({&end_own_connection, {}});
  });
  EXPECT_EQ(runs, 2);
  EXPECT_TRUE(exists(1));
}

TEST_F(BrokenConnection, twice_before_the_commit_is_reported) {
  int runs = 0;
  auto body = [&](Tx& tx) {
    tx.run(note(1));
    ++runs;
    tx.run({&end_own_connection, {}});
  };
  EXPECT_THROW(storage->write_now(body), Failure);
  EXPECT_EQ(runs, 2);
  EXPECT_FALSE(exists(1));
}

TEST_F(BrokenConnection, during_the_commit_is_reported_as_unknown_and_never_repeated) {
  TemporarySchema::execute("SET search_path = " + schema.name +
                           "; CREATE FUNCTION die() RETURNS trigger LANGUAGE plpgsql AS"
                           " $$ BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END $$;"
                           "CREATE CONSTRAINT TRIGGER die_at_commit AFTER INSERT ON notes DEFERRABLE INITIALLY DEFERRED"
                           " FOR EACH ROW EXECUTE FUNCTION die()");
  int runs = 0;
  try {
    storage->write_now([&](Tx& tx) {
      ++runs;
      tx.run(note(1));
    });
    ADD_FAILURE() << "acknowledged";
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.kind, Failure::Kind::unavailable);
    EXPECT_NE(failure.sentence.find("unknown"), std::string::npos);
  }
  EXPECT_EQ(runs, 1);
  EXPECT_FALSE(exists(1));
}

TEST_F(BrokenConnection, under_load_loses_no_acknowledged_write) {
  constexpr int writers = 8;
  std::atomic<bool> stop = false;
  std::vector<std::future<std::vector<std::int64_t>>> acknowledged;
  for (std::int64_t writer = 0; writer < writers; ++writer) {
    acknowledged.push_back(loop.start([&, writer]() -> Task<std::vector<std::int64_t>> {
      std::vector<std::int64_t> ids;
      for (std::int64_t id = writer; !stop; id += writers) {
        try {
          co_await db->write([&](Tx& tx) { tx.run(note(id)); });
          ids.push_back(id);
          if (!co_await db->one(find(id))) throw std::logic_error("an acknowledged write is not there");
        } catch (const Failure& failure) {
          if (failure.kind != Failure::Kind::unavailable) throw;
        }
      }
      co_return ids;
    }));
  }
  int terminated = 0;
  for (int round = 0; round < 20; ++round) terminated += schema.terminate_connections();
  stop = true;
  EXPECT_GT(terminated, 0);
  std::size_t total = 0;
  for (auto& each : acknowledged) {
    std::vector<std::int64_t> ids = each.get();
    recover();
    for (std::int64_t id : ids) {
      ++total;
      EXPECT_TRUE(exists(id)) << id;
    }
  }
  EXPECT_GT(total, 0u);
}

TEST_F(BrokenConnection, to_a_server_that_is_down_fails_cleanly_and_recovers_by_itself) {
  role.shut_out();
  for (int i = 0; i < 3; ++i) {
    EXPECT_THROW(exists(1), Failure);
    EXPECT_THROW(storage->write_now([](Tx& tx) { tx.run(note(1)); }), Failure);
  }
  EXPECT_THROW(storage->check(), Failure);
  role.let_in();
  recover();
  EXPECT_FALSE(exists(1));
}

TEST_F(BrokenConnection, at_the_connection_limit_leaves_jobs_to_the_threads_that_have_one) {
  role.limit_connections(2);
  std::vector<std::future<void>> done;
  for (std::int64_t id = 1; id <= 300; ++id) {
    done.push_back(loop.start([&, id]() -> Task<> {
      return db->write([id](Tx& tx) {
        tx.run({&take_a_moment, {}});
        tx.run(note(id));
      });
    }));
  }
  for (auto& each : done) EXPECT_NO_THROW(each.get());
  EXPECT_TRUE(exists(300)) << "a loop without a connection reads through those threads";

  std::optional<std::int64_t> seen;
  const auto body = [&](Tx& tx) {
    seen = tx.one(find(300));
    tx.later(note(301));
  };
  loop.run([&]() -> Task<> { co_await db->write(body, [] { return std::vector{find(300).query}; }); });
  EXPECT_EQ(seen, 300) << "what the loop could not read before, the transaction reads";
  EXPECT_TRUE(exists(301));
}

TEST_F(BrokenConnection, to_no_server_at_all_refuses_the_waiting_jobs) {
  role.limit_connections(0);
  std::vector<std::future<void>> done;
  for (std::int64_t id = 1; id <= 50; ++id) {
    done.push_back(loop.start([&, id]() -> Task<> { return db->write([id](Tx& tx) { tx.run(note(id)); }); }));
  }
  for (auto& each : done) EXPECT_THROW(each.get(), Failure);
  role.limit_connections(-1);
  recover();
  EXPECT_FALSE(exists(50));
}

}  // namespace
}  // namespace guildhall
