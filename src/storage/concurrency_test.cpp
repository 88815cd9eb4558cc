#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <future>
#include <latch>

#include "base/failure.h"
#include "storage/loops_test.h"

namespace guildhall {
namespace {

const Sql make_counters{
    "CREATE TABLE counters (id bigint NOT NULL, total bigint NOT NULL, version bigint NOT NULL,"
    " CONSTRAINT counters_pkey PRIMARY KEY (id))"};
const Sql insert_counter{"INSERT INTO counters (id, total, version) VALUES ($1, $2, 1)"};
const Sql select_counter{"SELECT total, version FROM counters WHERE id = $1"};
const Sql guarded_update{"UPDATE counters SET total = $2, version = version + 1 WHERE id = $1 AND version = $3"};
const Sql set_all{"UPDATE counters SET total = $1"};
const Sql fails_on_zero{"SELECT 1 / total FROM counters WHERE id = $1"};

struct Counter {
  std::int64_t total;
  std::int64_t version;
};

Select<Counter> counter(std::int64_t id) {
  return {{&select_counter, {id}}, [](const Row& row) { return Counter{row.integer(0), row.integer(1)}; }};
}

Query new_counter(std::int64_t id, std::int64_t total = 0) {
  return {&insert_counter, {id, total}};
}

void increment(Tx& tx) {
  Counter seen = *tx.one(counter(1));
  if (tx.run({&guarded_update, {std::int64_t{1}, seen.total + 1, seen.version}}) == 0) throw WriteRace();
}

class Loops : public test::LoopsOnEachEngine {
 protected:
  Loops() {
    storage->write_now([](Tx& tx) {
      tx.run({&make_counters, {}});
      tx.run(new_counter(1));
    });
    open_loops();
  }
};

INSTANTIATE_TEST_SUITE_P(Engines, Loops, test::engines, test::engine_name);

TEST_P(Loops, lose_no_increment_of_a_guarded_counter) {
  constexpr int coroutines = 8;
  constexpr int rounds = 100;
  std::atomic<int> refused = 0;
  std::vector<std::future<void>> done;
  for (int i = 0; i < coroutines; ++i) {
    Loop& loop = loops[i % 2];
    done.push_back(loop.thread.start([&]() -> Task<> {
      for (int round = 0; round < rounds; ++round) {
        try {
          co_await loop.db->write(increment);
        } catch (const Failure&) {
          ++refused;  // it lost ten races in a row
        }
      }
    }));
  }
  for (auto& each : done) each.get();
  auto found = loops[0].thread.run([&]() -> Task<std::optional<Counter>> { return loops[0].db->one(counter(1)); });
  EXPECT_EQ(found->total, coroutines * rounds - refused);
  EXPECT_LT(refused, coroutines * rounds / 10);
}

TEST_P(Loops, commit_the_other_transactions_of_a_batch_when_one_body_throws) {
  constexpr std::int64_t writes = 200;
  std::vector<std::future<void>> done;
  for (std::int64_t i = 0; i < writes; ++i) {
    done.push_back(loops[0].thread.start([&, i]() -> Task<> {
      co_await loops[0].db->write([&](Tx& tx) {
        tx.run(new_counter(1000 + i));
        if (i % 3 == 0) throw not_found("Neighbour");
        if (i % 3 == 1) tx.run(new_counter(1));  // refused, because the id exists
      });
    }));
  }
  for (std::int64_t i = 0; i < writes; ++i) {
    if (i % 3 == 0) EXPECT_THROW(done[i].get(), Failure);
    if (i % 3 == 1) EXPECT_THROW(done[i].get(), ConstraintViolation);
    if (i % 3 == 2) EXPECT_NO_THROW(done[i].get());
  }
  for (std::int64_t i = 0; i < writes; ++i) {
    auto found =
        loops[1].thread.run([&]() -> Task<std::optional<Counter>> { return loops[1].db->one(counter(1000 + i)); });
    EXPECT_EQ(found.has_value(), i % 3 == 2) << i;
  }
}

TEST_P(Loops, see_an_acknowledged_write_of_another_loop_at_once) {
  for (std::int64_t id = 2; id < 60; ++id) {
    Loop& writer = loops[id % 2];
    Loop& reader = loops[1 - id % 2];
    writer.thread.run([&]() -> Task<> { return writer.db->write([&](Tx& tx) { tx.later(new_counter(id)); }); });
    auto one = reader.thread.run([&]() -> Task<std::optional<Counter>> { return reader.db->one(counter(id)); });
    EXPECT_TRUE(one.has_value());
    auto two = reader.thread.run(
        [&]() -> Task<std::optional<Counter>> { return reader.db->read([&](Tx& tx) { return tx.one(counter(id)); }); });
    EXPECT_TRUE(two.has_value());
  }
}

TEST_P(Loops, read_a_transaction_from_one_snapshot) {
  loops[0].thread.run([&]() -> Task<> { return loops[0].db->write([](Tx& tx) { tx.run(new_counter(2)); }); });
  std::latch seen_first(1);
  std::latch written(1);
  auto both = loops[0].thread.start([&]() -> Task<std::pair<std::int64_t, std::int64_t>> {
    return loops[0].db->read([&](Tx& tx) {
      std::int64_t first = tx.one(counter(1))->total;
      seen_first.count_down();
      written.wait();
      return std::pair(first, tx.one(counter(2))->total);
    });
  });
  seen_first.wait();
  loops[1].thread.run([&]() -> Task<> {
    return loops[1].db->write([](Tx& tx) { tx.run({&set_all, {std::int64_t{77}}}); });
  });
  written.count_down();
  EXPECT_EQ(both.get(), std::pair(std::int64_t{0}, std::int64_t{0}));
}

TEST_P(Loops, fail_only_the_read_that_is_wrong) {
  loops[0].thread.run([&]() -> Task<> {
    return loops[0].db->write([](Tx& tx) {
      for (std::int64_t id = 2; id <= 200; ++id) tx.later(new_counter(id, id % 10));
    });
  });
  // SQLite divides by zero without complaint, so there the statement that fails is one that cannot be prepared.
  static const Sql wrong{"SELECT total FROM no_such_table WHERE id = $1"};
  const Sql& failing = GetParam() == test::Engine::sqlite ? wrong : fails_on_zero;
  std::vector<std::future<bool>> answered;
  loops[0].thread.run([&]() -> Task<> {  // all of them begin within one turn of the loop
    for (std::int64_t id = 2; id <= 200; ++id) {
      answered.push_back(loops[0].thread.start([&, id]() -> Task<bool> {
        const Sql& sql = id % 10 == 0 ? failing : select_counter;
        auto found = co_await loops[0].db->one(
            Select<std::int64_t>{{&sql, {id}}, [](const Row& row) { return row.integer(0); }});
        co_return found == id % 10;
      }));
    }
    co_return;
  });
  for (std::int64_t id = 2; id <= 200; ++id) {
    if (id % 10 == 0) {
      EXPECT_THROW(answered[id - 2].get(), std::runtime_error) << id;
    } else {
      EXPECT_TRUE(answered[id - 2].get()) << id;
    }
  }
}

TEST_P(Loops, read_what_a_transaction_has_announced) {
  std::vector<std::int64_t> totals;
  loops[0].thread.run([&]() -> Task<> {
    co_await loops[0].db->write([](Tx& tx) { tx.later(new_counter(2, 22)); });
    const auto body = [&](Tx& tx) {
      totals.clear();
      for (const std::int64_t id : {2, 1, 3, 2}) {
        const auto found = tx.one(counter(id));
        totals.push_back(found ? found->total : -1);
      }
      tx.later(new_counter(3, 33));
    };
    co_await loops[0].db->write(body, [] { return std::vector{counter(1).query, counter(2).query, counter(3).query}; });
  });
  EXPECT_EQ(totals, (std::vector<std::int64_t>{22, 0, -1, 22}));
}

TEST_P(Loops, read_inside_a_transaction_what_could_not_be_read_before) {
  const auto many = [] { return std::vector<Query>(20, counter(1).query); };
  const auto wrong = [] { return std::vector{Query{&fails_on_zero, {std::int64_t{1}}}}; };
  std::int64_t total = -1;
  const auto body = [&](Tx& tx) { total = tx.one(counter(1))->total; };
  loops[0].thread.run([&]() -> Task<> { co_await loops[0].db->write(body, many); });
  EXPECT_EQ(total, 0);
  if (GetParam() == test::Engine::sqlite) return;  // reads nothing before
  EXPECT_THROW(loops[0].thread.run([&]() -> Task<> { co_await loops[0].db->write(body, wrong); }), std::runtime_error);
}

TEST_P(Loops, read_before_a_transaction_and_once_more_after_a_race) {
  if (GetParam() == test::Engine::sqlite) GTEST_SKIP() << "SQLite reads inside the transaction";
  std::vector<std::int64_t> totals;
  loops[0].thread.run([&]() -> Task<> {
    const auto body = [&](Tx& tx) {
      if (totals.empty()) storage->write_now([](Tx& other) { other.run({&set_all, {std::int64_t{5}}}); });
      const Counter seen = *tx.one(counter(1));
      totals.push_back(seen.total);
      if (seen.total == 0) throw WriteRace();  // that of a guarded update
    };
    co_await loops[0].db->write(body, [] { return std::vector{counter(1).query}; });
  });
  EXPECT_EQ(totals, (std::vector<std::int64_t>{0, 5}));
}

TEST_P(Loops, are_refused_when_too_many_transactions_wait) {
  reopen_with({.writer_connections_max = 1, .queued_writes_max = 3});
  std::latch running(1);
  std::latch go_on(1);
  auto first = loops[0].thread.start([&]() -> Task<> {
    return loops[0].db->write([&](Tx&) {
      running.count_down();
      go_on.wait();
    });
  });
  running.wait();
  std::vector<std::future<void>> waiting;
  for (int i = 0; i < 3; ++i) {
    waiting.push_back(loops[0].thread.start([&]() -> Task<> { return loops[0].db->write([](Tx&) {}); }));
  }
  auto one_too_many = [&]() -> Task<> { return loops[0].db->write([](Tx&) {}); };
  try {
    loops[0].thread.run(one_too_many);
    ADD_FAILURE() << "not refused";
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.kind, Failure::Kind::unavailable);
  }
  go_on.count_down();
  first.get();
  for (auto& each : waiting) each.get();
  EXPECT_NO_THROW(loops[0].thread.run(one_too_many));
}

TEST_P(Loops, may_stop_and_close_while_transactions_are_under_way) {
  reopen_with({.writer_connections_max = 1});
  std::latch running(1);
  std::latch go_on(1);
  std::atomic<int> bodies = 0;
  auto first = loops[0].thread.start([&]() -> Task<> {
    return loops[0].db->write([&](Tx& tx) {
      running.count_down();
      go_on.wait();
      tx.run(new_counter(5));
      ++bodies;
    });
  });
  auto queued = loops[0].thread.start([&]() -> Task<> { return loops[0].db->write([&](Tx&) { ++bodies; }); });
  loops[0].thread.start([&]() -> Task<std::optional<Counter>> { return loops[0].db->one(counter(1)); });
  running.wait();
  loops[0].thread.stop();
  std::thread closing([&] { loops[0].db.reset(); });
  go_on.count_down();
  closing.join();
  // The transaction that had begun was finished, and its frame existed until then.
  EXPECT_GE(bodies, 1);
  auto found = loops[1].thread.run([&]() -> Task<std::optional<Counter>> { return loops[1].db->one(counter(5)); });
  EXPECT_TRUE(found.has_value());
}

}  // namespace
}  // namespace guildhall
