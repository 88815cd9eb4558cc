#include <fmt/format.h>
#include <fstream>
#include <set>

#include "storage/migrations.h"
#include "storage/storage.h"
#include "support/engines.h"

namespace guildhall {
namespace {

namespace fs = std::filesystem;

const Sql create_sql{"CREATE TABLE t (id bigint NOT NULL, CONSTRAINT t_pkey PRIMARY KEY (id))"};
const Sql insert_sql{"INSERT INTO t (id) SELECT COUNT(*) FROM t"};
const Sql count_sql{"SELECT COUNT(*) FROM t"};

std::int64_t count(Tx& tx) {
  std::int64_t found = 0;
  tx.run({&count_sql, {}}, [&](const Row& row) { found = row.integer(0); });
  return found;
}

void insert_row(Storage& storage) {
  storage.write_now([](Tx& tx) { tx.run({&insert_sql, {}}); });
}

// The sentence for the operator; empty when nothing was thrown.
std::string refusal(FunctionRef<void()> action) {
  try {
    action();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

class ReadOnly : public ::testing::TestWithParam<test::Engine> {
 protected:
  test::FreshDatabase database{GetParam()};
};
INSTANTIATE_TEST_SUITE_P(Engines, ReadOnly, test::engines, test::engine_name);

TEST_P(ReadOnly, works_while_a_server_runs_and_on_one_snapshot) {
  const auto storage = open_storage({.url = database.url});
  storage->write_now([](Tx& tx) { tx.run({&create_sql, {}}); });
  insert_row(*storage);
  const auto read_only = open_read_only(database.url);
  read_only->read([&](Tx& tx) {
    EXPECT_EQ(count(tx), 1);
    insert_row(*storage);
    EXPECT_EQ(count(tx), 1);
  });
  read_only->read([&](Tx& tx) { EXPECT_EQ(count(tx), 2); });
}

TEST_P(ReadOnly, changes_nothing) {
  open_storage({.url = database.url})->write_now([](Tx& tx) { tx.run({&create_sql, {}}); });
  const auto read_only = open_read_only(database.url);
  EXPECT_NE(refusal([&] { read_only->read([](Tx& tx) { tx.run({&insert_sql, {}}); }); }), "");
  read_only->read([&](Tx& tx) { EXPECT_EQ(count(tx), 0); });
}

TEST_P(ReadOnly, reports_the_difference_between_schema_and_program) {
  constexpr Migration one{1, "0001_one", "CREATE TABLE one (id bigint)"}, two{2, "0002_two", "SELECT 1"},
      changed{1, "0001_one", "CREATE TABLE one (id text)"};
  const auto state = [&](std::initializer_list<Migration> steps) {
    const auto read_only = open_read_only(database.url);
    SchemaState found;
    read_only->read([&](Tx& tx) { found = schema_state(tx, read_only->name(), std::vector<Migration>(steps)); });
    return found;
  };
  open_storage({.url = database.url});
  EXPECT_TRUE(state({one}).empty);
  EXPECT_EQ(state({one, two}).pending, (std::vector<std::string>{"0001_one", "0002_two"}));
  migrate(*open_storage({.url = database.url}), std::vector{one});
  EXPECT_TRUE(state({one}).ours && state({one}).pending.empty() && state({one}).unknown.empty());
  EXPECT_EQ(state({one, two}).pending, std::vector<std::string>{"0002_two"});
  EXPECT_EQ(state({}).unknown, std::vector<std::string>{"0001_one"});
  EXPECT_EQ(state({changed}).changed, std::vector<std::string>{"0001_one"});
  EXPECT_GT(state({one}).newest_at, 0);
}

class ReadOnlyFile : public ::testing::Test {
 protected:
  std::set<std::string> names_in_folder() const {
    std::set<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder.path)) names.insert(entry.path().filename());
    return names;
  }

  test::TemporaryFolder folder;
  const std::string path = (folder.path / "a%20?#.db").string();  // characters that mean something in a URI
  const std::string url = "sqlite:" + path;
};

TEST_F(ReadOnlyFile, refuses_what_does_not_exist_and_creates_nothing) {
  EXPECT_EQ(refusal([&] { open_read_only(url); }), fmt::format("There is no database file {}.", path));
  EXPECT_EQ(refusal([&] { open_read_only("sqlite:" + folder.path.string()); }),
            fmt::format("There is no database file {}.", folder.path.string()));
  EXPECT_TRUE(names_in_folder().empty());
}

TEST_F(ReadOnlyFile, refuses_what_is_not_a_database) {
  std::ofstream(path) << std::string(5000, 'x');
  EXPECT_NE(refusal([&] { open_read_only(url)->read([](Tx&) {}); }).find("cannot be read as a database"),
            std::string::npos);
}

TEST_F(ReadOnlyFile, leaves_no_file_behind_when_no_server_runs) {
  open_storage({.url = url})->write_now([](Tx& tx) { tx.run({&create_sql, {}}); });
  const auto before = names_in_folder();
  open_read_only(url)->read([&](Tx& tx) {
    EXPECT_EQ(count(tx), 0);
    EXPECT_EQ(names_in_folder(), before);
  });
  EXPECT_EQ(names_in_folder(), before);
}

TEST_F(ReadOnlyFile, notices_a_server_that_starts_meanwhile) {
  open_storage({.url = url})->write_now([](Tx& tx) { tx.run({&create_sql, {}}); });
  const std::string sentence =
      refusal([&] { open_read_only(url)->read([&](Tx&) { insert_row(*open_storage({.url = url})); }); });
  EXPECT_NE(sentence.find("please run the command again"), std::string::npos) << sentence;
}

}  // namespace
}  // namespace guildhall
