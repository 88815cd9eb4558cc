#include <future>
#include <set>

#include "storage/loops_test.h"

namespace guildhall {
namespace {

// PostgreSQL runs reads of the same statement that begin within one turn of the loop as one statement.
class ReadsAtOnce : public test::LoopsOnEachEngine {
 protected:
  using Words = std::vector<std::string>;

  ReadsAtOnce() {
    storage->write_now([](Tx& tx) {
      static const Sql make{
          "CREATE TABLE notes (owner text NOT NULL, words text NOT NULL, PRIMARY KEY (owner, words))"};
      static const Sql insert{"INSERT INTO notes (owner, words) VALUES ($1, $2)"};
      tx.run({&make, {}});
      for (const std::string& owner : owners) {
        for (const char* words : {"one", "two", "", "three"}) tx.later({&insert, {owner, owner + words}});
      }
      static const Sql make_totals{"CREATE TABLE totals (id bigint NOT NULL PRIMARY KEY, total bigint NOT NULL)"};
      static const Sql insert_total{"INSERT INTO totals (id, total) VALUES (1, 0)"};
      tx.run({&make_totals, {}});
      tx.run({&insert_total, {}});
    });
    open_loops();
  }

  std::vector<std::future<Words>> read_all(const Sql& sql, const std::vector<std::vector<Value>>& params) {
    std::vector<std::future<Words>> answers;
    loops[0].thread.run([&]() -> Task<> {
      for (const auto& each : params) {
        answers.push_back(loops[0].thread.start([this, &sql, each]() -> Task<Words> {
          co_return co_await loops[0].db->all(
              Select<std::string>{{&sql, each}, [](const Row& row) { return std::string(row.text(0)); }});
        }));
      }
      co_return;
    });
    return answers;
  }

  // Some that could be taken for something else in the text of an array.
  static inline const std::vector<std::string> owners{"ada",  "a,b",       "a\"b",       "back\\slash", "{braces}",
                                                      "NULL", "null",      "",           " ",           "it's",
                                                      "$1",   "wanted.p1", "ünïcödé ☕", "a\nb"};
};
INSTANTIATE_TEST_SUITE_P(Engines, ReadsAtOnce, test::engines, test::engine_name);

TEST_P(ReadsAtOnce, get_each_their_own_rows_in_order) {
  static const Sql of_owner{"SELECT words FROM notes WHERE owner = $1 AND words <> $2 ORDER BY words DESC"};
  std::vector<std::vector<Value>> params;
  for (int round = 0; round < 20; ++round) {
    for (const std::string& owner : owners) {
      params.push_back({owner, owner + "two"});
      params.push_back({"missing " + owner, owner});
    }
  }
  auto answers = read_all(of_owner, params);
  for (std::size_t i = 0; i < params.size(); ++i) {
    const std::string owner = std::get<std::string>(params[i][0]);
    Words expected;
    if (i % 2 == 0) expected = {owner + "three", owner + "one", owner};
    EXPECT_EQ(answers[i].get(), expected) << owner;
  }
}

TEST_P(ReadsAtOnce, are_few_statements_for_postgresql) {
  if (GetParam() == test::Engine::sqlite) GTEST_SKIP() << "SQLite has no round trips";
  static const Sql when{"SELECT CAST(statement_timestamp() AS text) FROM notes WHERE owner = $1 AND words = $1"};
  std::vector<std::vector<Value>> params;
  for (const std::string& owner : owners) params.push_back({owner});
  read_all(when, params);  // until there is a connection
  std::set<std::string> times;
  for (auto& answer : read_all(when, params)) times.insert(answer.get().at(0));
  EXPECT_LT(times.size(), params.size() / 4);
}

TEST_P(ReadsAtOnce, share_their_rows_when_they_are_equal) {
  if (GetParam() == test::Engine::sqlite) GTEST_SKIP() << "SQLite reads at once";
  static const Sql owner_and_time{
      "SELECT owner || CAST(clock_timestamp() AS text) FROM notes WHERE owner = $1 AND words = $1"};
  std::vector<std::vector<Value>> params;
  for (std::size_t i = 0; i < 30; ++i) params.push_back({owners[i % 3]});
  read_all(owner_and_time, params);  // until there is a connection
  std::set<std::string> different;
  auto answers = read_all(owner_and_time, params);
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const std::string answer = answers[i].get().at(0);
    EXPECT_TRUE(answer.starts_with(owners[i % 3])) << answer;
    different.insert(answer);
  }
  EXPECT_LT(different.size(), params.size() / 2);
}

TEST_P(ReadsAtOnce, fail_alike_when_they_are_equal) {
  if (GetParam() == test::Engine::sqlite) GTEST_SKIP() << "SQLite divides by zero without an error";
  static const Sql divided{"SELECT CAST(12 / length(words) AS text) FROM notes WHERE owner = $1 AND words = $1"};
  for (auto& answer : read_all(divided, std::vector<std::vector<Value>>(9, {Value(std::string())}))) {
    EXPECT_THROW(answer.get(), std::runtime_error);
  }
}

TEST_P(ReadsAtOnce, fail_alone) {
  if (GetParam() == test::Engine::sqlite) GTEST_SKIP() << "SQLite divides by zero without an error";
  static const Sql divided{"SELECT CAST(12 / length(words) AS text) FROM notes WHERE owner = $1 AND words = $1"};
  std::vector<std::vector<Value>> params;
  for (const std::string& owner : owners) params.push_back({owner});
  for (int round = 0; round < 2; ++round) {
    auto answers = read_all(divided, params);
    for (std::size_t i = 0; i < owners.size(); ++i) {
      if (owners[i].empty()) {
        EXPECT_THROW(answers[i].get(), std::runtime_error);
      } else {
        EXPECT_EQ(answers[i].get().size(), 1u) << owners[i];
      }
    }
  }
}

// A number as text is a bigint for PostgreSQL where it stands for one, but not as an element of a text array.
TEST_P(ReadsAtOnce, work_for_a_statement_that_cannot_run_for_several) {
  static const Sql total{"SELECT CAST(total AS text) FROM totals WHERE id = $1"};
  for (int round = 0; round < 2; ++round) {
    std::vector<std::vector<Value>> params;
    for (std::size_t zeros = 0; zeros < 20; ++zeros) params.push_back({std::string(zeros, '0') + "1"});
    auto answers = read_all(total, params);
    for (auto& answer : answers) EXPECT_EQ(answer.get(), Words{"0"});
  }
}

}  // namespace
}  // namespace guildhall
