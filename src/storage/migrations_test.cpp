#include "storage/migrations.h"

#include <thread>

#include "support/engines.h"
#include "support/eventually.h"

namespace guildhall {
namespace {

const Sql insert_thing{"INSERT INTO things (id, name, size) VALUES ($1, $2, $3)"};
const Sql count_records{"SELECT count(*) FROM schema_migrations"};

constexpr Migration first{1, "0001_things",
                          "-- a comment; with a semicolon\n"
                          "CREATE TABLE things (id bigint NOT NULL, name text NOT NULL DEFAULT 'a;b',"
                          " CONSTRAINT things_pkey PRIMARY KEY (id));\n"
                          "CREATE UNIQUE INDEX things_name_key ON things (name);\n"};
constexpr Migration second{2, "0002_size", "ALTER TABLE things ADD COLUMN size bigint;"};
constexpr Migration half_wrong{2, "0002_size",
                               "ALTER TABLE things ADD COLUMN size bigint; INSERT INTO nowhere VALUES (1);"};

class Migrations : public test::OnEachEngine {
 protected:
  int apply(std::vector<Migration> steps) { return migrate(*storage, steps); }

  std::int64_t records() {
    std::int64_t found = 0;
    storage->write_now([&](Tx& tx) { tx.run({&count_records, {}}, [&](const Row& row) { found = row.integer(0); }); });
    return found;
  }

  std::string refusal(std::vector<Migration> steps) {
    try {
      apply(std::move(steps));
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "(none)";
  }
};

INSTANTIATE_TEST_SUITE_P(Engines, Migrations, test::engines, test::engine_name);

TEST_P(Migrations, are_applied_once_and_in_order) {
  EXPECT_EQ(apply({first, second}), 2);
  EXPECT_EQ(apply({first, second}), 0);
  EXPECT_EQ(records(), 2);
  storage->write_now([](Tx& tx) { tx.run({&insert_thing, {std::int64_t{1}, "x", std::int64_t{2}}}); });
}

TEST_P(Migrations, continue_after_the_last_one_applied) {
  EXPECT_EQ(apply({first}), 1);
  reopen();
  EXPECT_EQ(apply({first, second}), 1);
}

TEST_P(Migrations, may_have_a_part_for_sqlite_alone) {
  const Migration step{1, "0001_pairs",
                       "CREATE TABLE pairs (a bigint NOT NULL, PRIMARY KEY (a)) -- sqlite: WITHOUT ROWID\n;"};
  EXPECT_EQ(apply({step}), 1);
  static const Sql row_number("SELECT rowid FROM pairs");
  EXPECT_ANY_THROW(storage->write_now([](Tx& tx) {
    tx.run({&row_number, {}});
  })) << "neither engine has row numbers here";
}

TEST_P(Migrations, of_this_binary_apply_to_an_empty_database) {
  int count = static_cast<int>(migrations().size());
  EXPECT_GT(count, 0);
  EXPECT_EQ(migrate(*storage), count);
  EXPECT_EQ(migrate(*storage), 0);
}

TEST_P(Migrations, are_refused_when_an_applied_text_has_changed) {
  apply({first});
  Migration changed = first;
  changed.sql = "CREATE TABLE things (id text NOT NULL);";
  EXPECT_NE(refusal({changed, second}).find("0001_things was changed"), std::string::npos);
  EXPECT_EQ(records(), 1);
}

// Nodes of two releases run side by side.
TEST_P(Migrations, of_a_newer_program_that_only_add_are_accepted) {
  apply({first, second});
  EXPECT_EQ(apply({first}), 0);
  EXPECT_EQ(apply({}), 0);
  EXPECT_EQ(records(), 2);
}

TEST_P(Migrations, of_a_newer_program_that_remove_something_are_refused) {
  const Migration contract{2, "0002_contract_names", "DROP INDEX things_name_key;"};
  apply({first, contract});
  EXPECT_NE(refusal({first}).find("0002_contract_names, which programs from before it cannot work with"),
            std::string::npos);
  EXPECT_EQ(apply({first, contract}), 0) << "the newer program itself";
  EXPECT_FALSE(is_contract("0002_orders_contract_x"));
}

TEST_P(Migrations, leave_nothing_behind_when_they_fail) {
  EXPECT_NE(refusal({first, half_wrong}), "(none)");
  EXPECT_EQ(records(), 0) << "a new database is complete, or still empty";
  EXPECT_EQ(apply({first}), 1);
  EXPECT_NE(refusal({first, half_wrong}), "(none)");
  EXPECT_EQ(records(), 1);
  EXPECT_EQ(apply({first, second}), 1);
}

TEST(Statistics, of_a_table_without_any_are_collected_when_it_has_rows) {
  const test::TemporarySchema schema;
  const auto known = [&](const std::string& table) {
    return test::TemporarySchema::execute("SELECT last_analyze IS NOT NULL FROM pg_stat_user_tables WHERE relname = '" +
                                          table + "' AND schemaname = '" + schema.name + "'") == "t";
  };
  const auto storage = open_storage({.url = schema.url(), .writer_connections_max = 1});
  test::TemporarySchema::execute("SET search_path = " + schema.name +
                                 "; CREATE TABLE small (id bigint); CREATE TABLE large (id bigint);"
                                 "INSERT INTO small SELECT generate_series(1, 10);"
                                 "INSERT INTO large SELECT generate_series(1, 1000)");
  EXPECT_TRUE(test::eventually([&] {  // the server counts changes with a delay
    collect_missing_statistics(*storage);
    return known("large");
  }));
  EXPECT_FALSE(known("small"));
}

TEST_P(Migrations, of_two_nodes_at_once_are_applied_once) {
  std::atomic<int> applied = 0;
  auto node = [&] { applied += apply({first, second}); };
  std::thread one(node);
  std::thread two(node);
  one.join();
  two.join();
  EXPECT_EQ(applied, 2);
  EXPECT_EQ(records(), 2);
}

}  // namespace
}  // namespace guildhall
