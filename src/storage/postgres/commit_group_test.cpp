// Transactions that are committed together on PostgreSQL.
#include <future>

#include "base/failure.h"
#include "base/metrics.h"
#include "support/engines.h"
#include "support/eventually.h"
#include "support/run_task.h"

namespace guildhall {
namespace {

using test::TemporarySchema;

constexpr std::int64_t first = 0;  // the note whose commit waits
constexpr int many = 12;

const Sql insert_grouped_note{"INSERT INTO notes (id) VALUES ($1)"};
const Sql select_grouped_note{"SELECT id FROM notes WHERE id = $1"};
const Sql add_to_sum{"UPDATE sums SET total = total + 1 WHERE id = $1"};

Query grouped_note(std::int64_t id) {
  return {&insert_grouped_note, {id}};
}

Select<std::int64_t> find_grouped(std::int64_t id) {
  return {{&select_grouped_note, {id}}, [](const Row& row) { return row.integer(0); }};
}

// While `held` is locked, the commit of the first note waits. So do the writes that can be committed together: they
// wait until it has ended.
class CommitGroup : public ::testing::Test {
 protected:
  CommitGroup() {
    TemporarySchema::execute("SET search_path = " + schema.name +
                             "; CREATE TABLE notes (id bigint NOT NULL, CONSTRAINT notes_pkey PRIMARY KEY (id));"
                             "CREATE TABLE sums (id bigint PRIMARY KEY, total bigint NOT NULL);"
                             "CREATE TABLE held (id bigint); INSERT INTO sums VALUES (1, 0), (2, 0);"
                             "CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
                             " IF NEW.id = 0 THEN PERFORM set_config('lock_timeout', '0', true); LOCK TABLE held IN "
                             "ACCESS SHARE MODE; END IF;"
                             " IF NEW.id < 0 THEN PERFORM pg_terminate_backend(pg_backend_pid()); END IF;"
                             " RETURN NULL; END $$;"
                             "CREATE CONSTRAINT TRIGGER waits AFTER INSERT ON notes DEFERRABLE INITIALLY DEFERRED"
                             " FOR EACH ROW EXECUTE FUNCTION wait()");
    storage = open();
  }

  std::unique_ptr<Storage> open() {
    return open_storage({.url = schema.url(), .writer_connections_max = 8, .metrics = &metrics});
  }

  std::uint64_t count(const char* name) {
    const std::string text = metrics.text(), line = fmt::format("\n{} ", name);
    return std::stoull(text.substr(text.find(line) + line.size()));
  }

  bool exists(std::int64_t id) {
    bool found = false;
    storage->read_now([&](Tx& tx) { found = tx.one(find_grouped(id)).has_value(); });
    return found;
  }

  std::future<void> start(std::function<void(Tx&)> body) {
    return std::async(std::launch::async, [this, body] {
      storage->write_now([&](Tx& tx) {
        std::unique_ptr<std::atomic<int>, decltype([](std::atomic<int>* count) { ++*count; })> counted(&ended);
        body(tx);
      });
    });
  }

  // Runs the bodies so that they wait for a commit together.
  std::vector<std::future<void>> start_together(const std::vector<std::function<void(Tx&)>>& bodies) {
    std::unique_ptr<PGconn, decltype(&PQfinish)> holder(PQconnectdb(schema.url().c_str()), PQfinish);
    PQclear(PQexec(holder.get(), "BEGIN; LOCK TABLE held"));
    std::vector<std::future<void>> started;
    started.push_back(start([](Tx& tx) { tx.later(grouped_note(first)); }));
    EXPECT_TRUE(test::eventually([&] {
      return TemporarySchema::execute(
                 "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND"
                 " application_name = '" +
                 schema.name + "'") == "1";
    }));
    for (const auto& body : bodies) started.push_back(start(body));
    EXPECT_TRUE(test::eventually([&] { return ended > static_cast<int>(bodies.size()); }));
    return started;  // the lock ends with the connection
  }

  TemporarySchema schema;
  Metrics metrics;
  std::unique_ptr<Storage> storage;
  std::atomic<int> ended = 0;
};

TEST_F(CommitGroup, commits_the_waiting_transactions_together) {
  std::vector<std::function<void(Tx&)>> bodies;
  for (std::int64_t id = 1; id <= many; ++id) {
    bodies.push_back([id](Tx& tx) {
      EXPECT_FALSE(tx.one(find_grouped(id)));
      tx.later(grouped_note(id));
    });
  }
  for (auto& each : start_together(bodies)) each.get();
  for (std::int64_t id = 0; id <= many; ++id) EXPECT_TRUE(exists(id)) << id;
  EXPECT_EQ(count("database_transactions_total"), many + 1);
  EXPECT_LT(count("database_commits_total"), many / 2);
}

TEST_F(CommitGroup, fails_only_the_transaction_that_is_refused) {
  std::vector<std::function<void(Tx&)>> bodies;
  for (std::int64_t id = 1; id <= many; ++id) {
    bodies.push_back([id](Tx& tx) {
      tx.later(grouped_note(id));
      if (id % 4 == 0) tx.later(grouped_note(first));  // the id exists
      if (id % 4 == 1) throw not_found("Note");
    });
  }
  std::vector<std::future<void>> started = start_together(bodies);
  started[0].get();
  for (std::int64_t id = 1; id <= many; ++id) {
    auto& each = started[static_cast<std::size_t>(id)];
    if (id % 4 == 0) {
      EXPECT_THROW(each.get(), ConstraintViolation);
    } else if (id % 4 == 1) {
      EXPECT_THROW(each.get(), Failure);
    } else {
      EXPECT_NO_THROW(each.get());
    }
    EXPECT_EQ(exists(id), id % 4 > 1) << id;
  }
}

// How many statements insert into the table is counted by a trigger.
TEST_F(CommitGroup, inserts_the_rows_of_many_by_one_statement) {
  TemporarySchema::execute("SET search_path = " + schema.name +
                           "; CREATE TABLE lines (id bigint, line bigint, words text, PRIMARY KEY (id, line));"
                           "CREATE FUNCTION count_it() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
                           " UPDATE sums SET total = total + 1 WHERE id = 1; RETURN NULL; END $$;"
                           "CREATE TRIGGER counts AFTER INSERT ON lines EXECUTE FUNCTION count_it()");
  static const Sql insert_lines{
      "INSERT INTO lines (id, line, words) VALUES ($1, 1, $2), ($1, 2, $3) ON CONFLICT DO NOTHING"};
  std::vector<std::function<void(Tx&)>> bodies;
  for (std::int64_t id = 1; id <= many; ++id) {
    bodies.push_back([id](Tx& tx) {
      tx.later(grouped_note(id));
      tx.later({&insert_lines, {id, fmt::format("{} a", id), id == 2 ? Value() : Value(fmt::format("{} b", id))}});
    });
  }
  for (auto& each : start_together(bodies)) each.get();
  const auto lines = [&](const std::string& id) {
    return TemporarySchema::execute("SELECT string_agg(line || COALESCE(words, '-'), ',' ORDER BY line) FROM " +
                                    schema.name + ".lines WHERE id = " + id);
  };
  EXPECT_EQ(lines("1"), "11 a,21 b");
  EXPECT_EQ(lines("2"), "12 a,2-");
  EXPECT_EQ(lines("12"), "112 a,212 b");
  const std::string statements = TemporarySchema::execute("SELECT total FROM " + schema.name + ".sums WHERE id = 1");
  EXPECT_LE(std::stoi(statements), many / 3);
}

TEST_F(CommitGroup, reports_an_unknown_outcome_to_all_of_it_and_repeats_none) {
  std::atomic<int> runs = 0;
  std::vector<std::function<void(Tx&)>> bodies;
  for (std::int64_t id = 1; id <= 4; ++id) {
    bodies.push_back([&, id](Tx& tx) {
      ++runs;
      tx.later(grouped_note(id == 1 ? -1 : id));  // ends its connection during the commit
    });
  }
  std::vector<std::future<void>> started = start_together(bodies);
  started[0].get();
  int failed = 0;
  for (std::size_t i = 1; i < started.size(); ++i) {
    try {
      started[i].get();
    } catch (const Failure& failure) {
      ++failed;
      EXPECT_NE(failure.sentence.find("unknown"), std::string::npos) << failure.sentence;
      EXPECT_FALSE(exists(static_cast<std::int64_t>(i)));
    }
  }
  EXPECT_GE(failed, 1);
  EXPECT_EQ(runs, 4);
}

TEST_F(CommitGroup, runs_a_body_again_that_has_lost_a_race) {
  std::atomic<int> runs = 0;
  std::vector<std::function<void(Tx&)>> bodies(2, [&](Tx& tx) {
    ++runs;
    if (tx.one(find_grouped(7))) return;
    tx.later(grouped_note(7), [](const ConstraintViolation&) { throw WriteRace(); });
  });
  for (auto& each : start_together(bodies)) each.get();
  EXPECT_TRUE(exists(7));
  EXPECT_GE(runs, 3);
}

TEST_F(CommitGroup, commits_the_others_while_one_waits_for_a_locked_row) {
  std::unique_ptr<PGconn, decltype(&PQfinish)> owner(PQconnectdb(schema.url().c_str()), PQfinish);
  PQclear(PQexec(owner.get(), "BEGIN; UPDATE sums SET total = 0 WHERE id = 1"));
  std::vector<std::function<void(Tx&)>> bodies{[](Tx& tx) { tx.later({&add_to_sum, {std::int64_t{1}}}); }};
  for (std::int64_t id = 1; id <= many; ++id) {
    bodies.push_back([id](Tx& tx) { tx.later(grouped_note(id)); });
  }
  std::vector<std::future<void>> started = start_together(bodies);
  std::future<void> waits = std::move(started[1]);
  started.erase(started.begin() + 1);
  for (auto& each : started) each.get();
  EXPECT_EQ(waits.wait_for(std::chrono::seconds(0)), std::future_status::timeout);
  owner.reset();
  waits.get();
}

TEST_F(CommitGroup, adds_up_the_changes_of_a_shared_row) {
  static const Sql add{"UPDATE sums SET total = total + $2 WHERE id = $1"};
  std::vector<std::function<void(Tx&)>> bodies;
  for (std::int64_t i = 1; i <= many; ++i) {
    bodies.push_back([i](Tx& tx) {
      const std::int64_t row = 1 + i % 2;
      tx.later_on_shared_row({SharedRow::Table::products, "", std::to_string(row), 1}, {&add, {row, i}});
    });
  }
  for (auto& each : start_together(bodies)) each.get();
  EXPECT_EQ(TemporarySchema::execute("SELECT string_agg(total::text, ' ' ORDER BY id) FROM " + schema.name + ".sums"),
            "42 36");
}

// Two processes change the same two rows in opposite orders, with a pause in between.
class SharedRows : public CommitGroup {
 protected:
  std::uint64_t races_of(int rounds, FunctionRef<void(Tx&, std::int64_t)> change) {
    static const Sql pause{"INSERT INTO held SELECT 1 FROM pg_sleep(0.002)"};
    constexpr int threads = 8;
    const std::unique_ptr<Storage> other = open();
    std::vector<std::future<void>> done;
    for (int i = 0; i < threads; ++i) {
      done.push_back(std::async(std::launch::async, [&, i] {
        Storage& mine = i % 2 == 0 ? *storage : *other;
        for (int round = 0; round < rounds; ++round) {
          mine.write_now([&](Tx& tx) {
            change(tx, 1 + i % 2);
            tx.later({&pause, {}});
            change(tx, 2 - i % 2);
          });
        }
      }));
    }
    for (auto& each : done) each.get();
    const std::string sums =
        TemporarySchema::execute("SELECT string_agg(total::text, ' ' ORDER BY id) FROM " + schema.name + ".sums");
    rounds_done += rounds;
    EXPECT_EQ(sums, fmt::format("{0} {0}", threads * rounds_done));
    return count("database_retries_total{cause=\"race\"}");
  }

  int rounds_done = 0;
};

TEST_F(SharedRows, do_not_deadlock) {
  EXPECT_EQ(
      races_of(25,
               [](Tx& tx, std::int64_t id) {
                 tx.later_on_shared_row({SharedRow::Table::products, "", std::to_string(id)}, {&add_to_sum, {id}});
               }),
      0);
}

TEST_F(SharedRows, deadlock_when_they_are_changed_in_any_order) {
  std::uint64_t races = 0;
  for (int attempt = 0; attempt < 50 && races == 0; ++attempt) {
    races = races_of(1, [](Tx& tx, std::int64_t id) { tx.later({&add_to_sum, {id}}); });
  }
  EXPECT_GT(races, 0u);
}

}  // namespace
}  // namespace guildhall
