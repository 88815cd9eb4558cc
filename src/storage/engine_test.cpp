#include <cmath>
#include <latch>
#include <limits>
#include <thread>

#include "base/failure.h"
#include "base/log.h"
#include "storage/slow_statements.h"
#include "support/engines.h"
#include "support/run_task.h"

namespace guildhall {
namespace {

const Sql make_values{
    "CREATE TABLE samples (id bigint NOT NULL, flag boolean, number bigint, fraction double precision, words text,"
    " CONSTRAINT samples_pkey PRIMARY KEY (id), CONSTRAINT samples_number_check CHECK (number <> 13))"};
const Sql make_words_key{"CREATE UNIQUE INDEX samples_words_key ON samples (flag, words)"};
const Sql make_parents{"CREATE TABLE parents (id bigint NOT NULL, CONSTRAINT parents_pkey PRIMARY KEY (id))"};
const Sql make_children{
    "CREATE TABLE children (id bigint NOT NULL, parent_id bigint NOT NULL,"
    " CONSTRAINT children_pkey PRIMARY KEY (id),"
    " CONSTRAINT children_parent_fkey FOREIGN KEY (parent_id) REFERENCES parents (id))"};

const Sql insert_sample{"INSERT INTO samples (id, flag, number, fraction, words) VALUES ($1, $2, $3, $4, $5)"};
const Sql select_sample{"SELECT flag, number, fraction, words FROM samples WHERE id = $1"};
const Sql count_samples{"SELECT count(*) FROM samples"};
const Sql insert_child{"INSERT INTO children (id, parent_id) VALUES ($1, $2)"};
const Sql update_numbers{"UPDATE samples SET number = number + 1 WHERE number >= $1"};
const Sql delete_returning{"DELETE FROM samples WHERE number >= $1 RETURNING id"};
const Sql twice_and_out_of_order{"SELECT id FROM samples WHERE words = $2 AND id = $1 AND words = $2 AND id <> $3"};
const Sql broken{"SELECT nothing FROM nowhere"};

Query sample(std::int64_t id, Value flag = {}, Value number = {}, Value fraction = {}, Value words = {}) {
  return {&insert_sample, {id, std::move(flag), std::move(number), std::move(fraction), std::move(words)}};
}

std::int64_t read_integer(const Row& row) {
  return row.integer(0);
}

std::string read_words(const Row& row) {
  return std::string(row.text(3));
}

Select<std::int64_t> number_of_samples() {
  return {{&count_samples, {}}, read_integer};
}

class Transactions : public test::OnEachEngine {
 protected:
  Transactions() {
    storage->write_now([](Tx& tx) {
      for (const Sql* sql : {&make_values, &make_words_key, &make_parents, &make_children}) tx.later({sql, {}});
    });
  }

  std::int64_t count() {
    std::int64_t found = -1;
    storage->write_now([&](Tx& tx) { found = *tx.one(number_of_samples()); });
    return found;
  }

  // The constraint that refuses the queries, run one after the other.
  std::string refused_by(const std::vector<Query>& queries) {
    try {
      storage->write_now([&](Tx& tx) {
        for (const Query& query : queries) tx.run(query);
      });
    } catch (const ConstraintViolation& violation) {
      return violation.constraint.empty() ? "(unnamed)" : violation.constraint;
    }
    return "(none)";
  }
};

INSTANTIATE_TEST_SUITE_P(Engines, Transactions, test::engines, test::engine_name);

TEST_P(Transactions, return_every_kind_of_value_as_it_was_stored) {
  constexpr std::int64_t big = std::numeric_limits<std::int64_t>::max();
  constexpr std::int64_t small = std::numeric_limits<std::int64_t>::min();
  const std::string words = "Grüße, 東京 🛒 'quoted' \"too\"\n$1 \\";
  storage->write_now([&](Tx& tx) {
    tx.run(sample(1, true, big, 0.1, words));
    tx.run(sample(2, false, small, -1e300, std::string()));
    tx.run(sample(3));
  });
  int rows = 0;
  storage->write_now([&](Tx& tx) {
    tx.run({&select_sample, {std::int64_t{1}}}, [&](const Row& row) {
      ++rows;
      EXPECT_FALSE(row.is_null(0));
      EXPECT_TRUE(row.boolean(0));
      EXPECT_EQ(row.integer(1), big);
      EXPECT_EQ(row.real(2), 0.1);
      EXPECT_EQ(row.text(3), words);
    });
    tx.run({&select_sample, {std::int64_t{2}}}, [&](const Row& row) {
      ++rows;
      EXPECT_FALSE(row.is_null(3));
      EXPECT_FALSE(row.boolean(0));
      EXPECT_EQ(row.integer(1), small);
      EXPECT_EQ(row.real(2), -1e300);
      EXPECT_EQ(row.text(3), "");
    });
    tx.run({&select_sample, {std::int64_t{3}}}, [&](const Row& row) {
      ++rows;
      for (int column = 0; column < 4; ++column) EXPECT_TRUE(row.is_null(column));
      EXPECT_FALSE(row.boolean(0));
      EXPECT_EQ(row.integer(1), 0);
      EXPECT_EQ(row.real(2), 0);
      EXPECT_EQ(row.text(3), "");
    });
  });
  EXPECT_EQ(rows, 3);
}

TEST_P(Transactions, bind_a_parameter_used_twice_and_out_of_order) {
  std::vector<std::int64_t> found;
  storage->write_now([&](Tx& tx) {
    tx.run(sample(7, true, {}, {}, "seven"));
    found = tx.all(
        Select<std::int64_t>{{&twice_and_out_of_order, {std::int64_t{7}, "seven", std::int64_t{8}}}, read_integer});
  });
  EXPECT_EQ(found, std::vector<std::int64_t>{7});
}

TEST_P(Transactions, count_the_rows_returned_or_changed) {
  storage->write_now([&](Tx& tx) {
    EXPECT_EQ(tx.run(sample(1, {}, std::int64_t{1})), 1);
    EXPECT_EQ(tx.run(sample(2, {}, std::int64_t{2})), 1);
    EXPECT_EQ(tx.run({&update_numbers, {std::int64_t{1}}}), 2);
    EXPECT_EQ(tx.run({&update_numbers, {std::int64_t{99}}}), 0);
    EXPECT_EQ(tx.run({&count_samples, {}}), 1);
    EXPECT_EQ(tx.run({&delete_returning, {std::int64_t{3}}}), 1);
  });
  EXPECT_EQ(count(), 1);
}

TEST_P(Transactions, are_rolled_back_when_the_body_throws) {
  auto body = [](Tx& tx) {
    tx.run(sample(1));
    tx.later(sample(2));
    throw not_found("Something");
  };
  EXPECT_THROW(storage->write_now(body), Failure);
  EXPECT_EQ(count(), 0);
}

TEST_P(Transactions, name_the_constraint_that_was_violated) {
  EXPECT_EQ(refused_by({sample(1), sample(1)}), "samples_pkey");
  EXPECT_EQ(refused_by({sample(1, true, {}, {}, "a"), sample(2, true, {}, {}, "a")}), "samples_words_key");
  EXPECT_EQ(refused_by({sample(1, {}, std::int64_t{13})}), "samples_number_check");
  EXPECT_EQ(refused_by({{&insert_child, {std::int64_t{1}, std::int64_t{1}}}}),
            GetParam() == test::Engine::sqlite ? "(unnamed)" : "children_parent_fkey");
  EXPECT_EQ(refused_by({{&insert_child, {Value(), std::int64_t{1}}}}), "children_id_not_null");
  EXPECT_EQ(count(), 0);
}

TEST_P(Transactions, fail_with_the_error_of_a_deferred_statement) {
  auto body = [](Tx& tx) {
    tx.later(sample(1));
    tx.later(sample(1));
    tx.later(sample(2));
  };
  EXPECT_THROW(storage->write_now(body), ConstraintViolation);
  EXPECT_EQ(count(), 0);
}

TEST_P(Transactions, translate_the_constraint_violation_of_a_deferred_statement) {
  const auto taken = [](const ConstraintViolation& violation) {
    if (violation.constraint == "samples_pkey") throw conflict("TAKEN", "There is one already.");
  };
  const auto code_of = [&](FunctionRef<void(Tx&)> body) -> std::string {
    try {
      storage->write_now(body);
    } catch (const Failure& failure) {
      return failure.code;
    } catch (const ConstraintViolation& violation) {
      return violation.constraint;
    }
    return "";
  };
  EXPECT_EQ(code_of([&](Tx& tx) { tx.later(sample(1), taken); }), "");
  // At the commit, and where the next statement waits.
  EXPECT_EQ(code_of([&](Tx& tx) { tx.later(sample(1), taken); }), "TAKEN");
  EXPECT_EQ(code_of([&](Tx& tx) {
              tx.later(sample(1), taken);
              tx.one(number_of_samples());
              ADD_FAILURE() << "went on";
            }),
            "TAKEN");
  // Another constraint than the one it knows.
  EXPECT_EQ(code_of([&](Tx& tx) { tx.later(sample(2, {}, std::int64_t{13}), taken); }), "samples_number_check");
  EXPECT_EQ(count(), 1);
  // One that means a race lets the whole transaction run again.
  int runs = 0;
  EXPECT_EQ(code_of([&](Tx& tx) {
              tx.later(sample(++runs == 1 ? 1 : 3), [](const ConstraintViolation&) { throw WriteRace(); });
            }),
            "");
  EXPECT_GE(runs, 2);
  EXPECT_EQ(count(), 2);
}

TEST_P(Transactions, run_reads_that_were_announced) {
  const Query of_one{&select_sample, {std::int64_t{1}}};
  storage->write_now([&](Tx& tx) {
    tx.later(sample(1, {}, {}, {}, "one"));
    tx.read_ahead(of_one);
    tx.read_ahead(number_of_samples().query);
    tx.read_ahead({&select_sample, {std::int64_t{7}}});  // never run
    EXPECT_EQ(tx.run({&select_sample, {std::int64_t{5}}}), 0);
    EXPECT_EQ(tx.one(Select<std::string>{of_one, read_words}), "one");
    EXPECT_EQ(tx.one(number_of_samples()), 1);
    tx.later(sample(2));
    EXPECT_EQ(tx.one(number_of_samples()), 2) << "an announced read is used once";
    tx.read_ahead(number_of_samples().query);
  });
  EXPECT_THROW(storage->write_now([&](Tx& tx) {
    tx.read_ahead(of_one);
    tx.later(sample(1));
    tx.one(number_of_samples());
  }),
               ConstraintViolation);
  storage->write_now([&](Tx& tx) {
    tx.read_ahead({&select_sample, {std::int64_t{7}}});
    EXPECT_EQ(tx.one(Select<std::string>{of_one, read_words}), "one");
    EXPECT_EQ(tx.run({&select_sample, {std::int64_t{7}}}), 0);
  });
}

TEST_P(Transactions, run_deferred_statements_before_the_next_one) {
  std::int64_t seen = 0;
  storage->write_now([&](Tx& tx) {
    tx.later(sample(1));
    tx.later(sample(2));
    seen = *tx.one(number_of_samples());
  });
  EXPECT_EQ(seen, 2);
}

TEST_P(Transactions, are_rolled_back_when_the_body_ignores_a_failed_statement) {
  auto body = [](Tx& tx) {
    tx.run(sample(1));
    try {
      tx.run(sample(1));
    } catch (const ConstraintViolation&) {
    }
  };
  EXPECT_THROW(storage->write_now(body), ConstraintViolation);
  EXPECT_EQ(count(), 0);
}

TEST_P(Transactions, continue_after_a_sink_that_throws) {
  storage->write_now([&](Tx& tx) {
    tx.run(sample(1));
    auto sink = [](const Row&) { throw std::out_of_range("the sink's own"); };
    EXPECT_THROW(tx.run({&count_samples, {}}, sink), std::out_of_range);
    tx.run(sample(2));
  });
  EXPECT_EQ(count(), 2);
}

TEST_P(Transactions, report_a_wrong_statement_as_an_internal_error) {
  auto body = [](Tx& tx) { tx.run({&broken, {}}); };
  EXPECT_THROW(storage->write_now(body), std::runtime_error);
  EXPECT_EQ(count(), 0);
}

TEST_P(Transactions, refuse_text_that_is_not_utf8_or_contains_nul) {
  for (const std::string& text : {std::string("a\0b", 3), std::string("\xff"), std::string("\xed\xa0\x80")}) {
    EXPECT_THROW(storage->write_now([&](Tx& tx) { tx.run(sample(1, {}, {}, {}, text)); }), Failure);
    EXPECT_THROW(storage->write_now([&](Tx& tx) { tx.later(sample(1, {}, {}, {}, text)); }), Failure);
  }
  EXPECT_EQ(count(), 0);
}

TEST_P(Transactions, run_again_after_a_race_and_give_up_in_the_end) {
  int runs = 0;
  storage->write_now([&](Tx& tx) {
    tx.run(sample(1));
    if (++runs < 4) throw WriteRace();
  });
  EXPECT_EQ(runs, 4);
  EXPECT_EQ(count(), 1);

  runs = 0;
  try {
    storage->write_now([&](Tx& tx) {
      tx.run(sample(2));
      ++runs;
      throw WriteRace();
    });
    FAIL() << "the race ended";
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.kind, Failure::Kind::unavailable);
  }
  EXPECT_EQ(runs, 10);
  EXPECT_EQ(count(), 1);
}

TEST_P(Transactions, call_a_function_once_after_the_commit_and_never_without_one) {
  std::atomic<int> calls = 0;
  const auto count_call = [&](Tx& tx) { tx.after_commit([&] { ++calls; }); };
  int runs = 0;
  storage->write_now([&](Tx& tx) {
    count_call(tx);
    tx.run(sample(1));
    if (++runs < 3) throw WriteRace();
    EXPECT_EQ(calls, 0);
  });
  EXPECT_EQ(calls, 1);
  EXPECT_ANY_THROW(storage->write_now([&](Tx& tx) {
    count_call(tx);
    tx.later(sample(1));
  })) << "the key exists";
  EXPECT_EQ(calls, 1);
}

// The log never has the values of parameters.
TEST_P(Transactions, are_logged_statement_by_statement_when_slow) {
  static const Sql slow(
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300000)\n"
      "SELECT count(*) FROM n WHERE CAST($1 AS text) IS NOT NULL");
  const auto logged = [&](std::chrono::milliseconds limit) {
    ::testing::internal::CaptureStderr();
    log::configure(log::Level::info, true);
    log_slow_statements(limit);
    storage->write_now([&](Tx& tx) { tx.run({&slow, {"a secret"}}); });
    log_slow_statements(std::chrono::milliseconds(0));
    log::configure(log::Level::error, false);
    return ::testing::internal::GetCapturedStderr();
  };
  EXPECT_EQ(logged(std::chrono::milliseconds(0)), "");
  EXPECT_EQ(logged(std::chrono::hours(1)), "");
  const std::string lines = logged(std::chrono::milliseconds(1));
  EXPECT_NE(lines.find("FROM n WHERE i < 300000) SELECT count(*)"), std::string::npos) << lines;
  EXPECT_EQ(lines.find("a secret"), std::string::npos) << lines;
}

TEST_P(Transactions, run_on_an_engine_whose_check_succeeds) {
  EXPECT_NO_THROW(storage->check());
  EXPECT_EQ(storage->name(), GetParam() == test::Engine::sqlite ? "sqlite" : "postgresql");
}

TEST_P(Transactions, can_be_read_from_a_loop) {
  test::LoopThread loop;
  auto db = storage->open(loop.context());
  auto words = loop.run([&]() -> Task<std::vector<std::string>> {
    co_await db->write([](Tx& tx) {
      tx.later(sample(1, {}, {}, {}, "one"));
      tx.later(sample(2, {}, {}, {}, "two"));
    });
    std::vector<std::string> found;
    for (std::int64_t id : {1, 2, 3}) {
      auto each = co_await db->one(Select<std::string>{{&select_sample, {id}}, read_words});
      found.push_back(each.value_or("(nothing)"));
    }
    co_return found;
  });
  EXPECT_EQ(words, (std::vector<std::string>{"one", "two", "(nothing)"}));
}

TEST_P(Transactions, that_read_do_not_wait_for_one_that_writes) {
  std::latch writing(1), go_on(1);
  std::thread writer([&] {
    storage->write_now([&](Tx& tx) {
      tx.run(sample(1));
      writing.count_down();
      go_on.wait();
    });
  });
  writing.wait();
  std::int64_t seen = -1;
  storage->read_now([&](Tx& tx) { seen = *tx.one(number_of_samples()); });
  EXPECT_EQ(seen, 0);
  go_on.count_down();
  writer.join();
  EXPECT_EQ(count(), 1);
}

TEST_P(Transactions, that_write_are_refused_by_read_and_one) {
  test::LoopThread loop;
  auto db = storage->open(loop.context());
  auto insert = Select<std::int64_t>{sample(1), read_integer};
  EXPECT_THROW(loop.run([&]() -> Task<> { co_await db->one(insert); }), std::runtime_error);
  EXPECT_THROW(loop.run([&]() -> Task<> { co_await db->read([&](Tx& tx) { return tx.run(sample(1)); }); }),
               std::runtime_error);
  EXPECT_EQ(count(), 0);
}

}  // namespace
}  // namespace guildhall
