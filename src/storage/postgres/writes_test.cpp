#include "storage/postgres/writes.h"

#include <gtest/gtest.h>

namespace guildhall {
namespace {

const Sql insert_order{"INSERT INTO orders (id, total) VALUES ($1, $2)"};
const Sql insert_lines{"INSERT INTO lines (id, line) VALUES ($1, $2), ($1, $3) ON CONFLICT DO NOTHING"};
const Sql insert_selected{"INSERT INTO events (id) SELECT id FROM wanted WHERE id = $1"};
const Sql put_count{"INSERT INTO counts (id) VALUES ($1) ON CONFLICT (id) DO UPDATE SET total = counts.total + 1"};
const Sql update_stock{"UPDATE products SET stock = stock - 1 WHERE id = $1"};

PgWrites::Statement statement(const Sql& sql, std::vector<Value> params, SharedRow row = {}) {
  return {.query = {&sql, std::move(params)}, .shared_row = std::move(row)};
}

// An order of two lines that takes one from the stock.
PgWrites order(std::int64_t id) {
  return {
      .statements = {statement(insert_order, {id, id * 10}),
                     statement(update_stock, {id}, {SharedRow::Table::products, "shop", "p"}),
                     statement(insert_lines, {id, std::int64_t{1}, std::int64_t{2}}), statement(insert_selected, {id})},
      .refused = {Tx::accept}};
}

// For example "insert_order × 2: 1 10 2 20".
std::vector<std::string> shown(const PgWrites& writes) {
  std::vector<std::string> lines;
  for (const auto& each : writes.statements) {
    std::string line = fmt::format("{} × {}:", each.query.sql->text.substr(0, 14), each.times);
    for (const Value& value : each.query.params) line += fmt::format(" {}", std::get<std::int64_t>(value));
    lines.push_back(line);
  }
  return lines;
}

using Lines = std::vector<std::string>;

TEST(Writes, of_transactions_with_the_same_inserts_are_joined) {
  EXPECT_EQ(
      shown(join({order(1), order(2), order(3)})),
      (Lines{"INSERT INTO or × 2: 1 10 2 20", "INSERT INTO or × 1: 3 30", "INSERT INTO li × 2: 1 1 2 2 1 2",
             "INSERT INTO li × 1: 3 1 2", "INSERT INTO ev × 1: 1", "INSERT INTO ev × 1: 2", "INSERT INTO ev × 1: 3",
             "UPDATE product × 1: 1", "UPDATE product × 1: 2", "UPDATE product × 1: 3"}));
  EXPECT_EQ(join({order(1), order(2), order(3)}).refused.size(), 3u);
}

TEST(Writes, of_one_transaction_stay_as_they_are_with_shared_rows_last) {
  EXPECT_EQ(shown(join({order(7)})), (Lines{"INSERT INTO or × 1: 7 70", "INSERT INTO li × 1: 7 1 2",
                                            "INSERT INTO ev × 1: 7", "UPDATE product × 1: 7"}));
}

TEST(Writes, of_a_transaction_that_changes_a_row_keep_their_order_and_are_not_joined) {
  const auto change = [](std::int64_t id) {
    return PgWrites{.statements = {statement(insert_order, {id, id}), statement(update_stock, {id})}};
  };
  const auto put = [](std::int64_t id) {
    return PgWrites{.statements = {statement(put_count, {id}), statement(insert_order, {id, id})}};
  };
  EXPECT_EQ(
      shown(join({change(1), put(2), change(3), put(4)})),
      (Lines{"INSERT INTO or × 1: 1 1", "UPDATE product × 1: 1", "INSERT INTO co × 1: 2", "INSERT INTO or × 1: 2 2",
             "INSERT INTO or × 1: 3 3", "UPDATE product × 1: 3", "INSERT INTO co × 1: 4", "INSERT INTO or × 1: 4 4"}));
}

TEST(Writes, of_transactions_with_different_inserts_are_joined_with_those_alike) {
  const auto event = [](std::int64_t id) { return PgWrites{.statements = {statement(insert_selected, {id})}}; };
  const auto lone = [](std::int64_t id) { return PgWrites{.statements = {statement(insert_order, {id, id})}}; };
  EXPECT_EQ(shown(join({lone(1), order(2), event(3), lone(4), order(5)})),
            (Lines{"INSERT INTO or × 2: 1 1 4 4", "INSERT INTO or × 2: 2 20 5 50", "INSERT INTO li × 2: 2 1 2 5 1 2",
                   "INSERT INTO ev × 1: 2", "INSERT INTO ev × 1: 5", "INSERT INTO ev × 1: 3", "UPDATE product × 1: 2",
                   "UPDATE product × 1: 5"}));
}

TEST(Writes, are_joined_in_powers_of_two) {
  std::vector<PgWrites> orders;
  for (std::int64_t id = 1; id <= 45; ++id) orders.push_back({.statements = {statement(insert_order, {id, id})}});
  std::vector<std::size_t> times;
  for (const auto& each : join(std::move(orders)).statements) times.push_back(each.times);
  EXPECT_EQ(times, (std::vector<std::size_t>{16, 16, 8, 4, 1}));
}

TEST(Writes, that_are_joined_list_the_rows_of_all) {
  EXPECT_EQ(text_with_rows(insert_order, 2, 2), "INSERT INTO orders (id, total) VALUES ($1, $2), ($3, $4)");
  EXPECT_EQ(text_with_rows(insert_lines, 3, 4),
            "INSERT INTO lines (id, line) VALUES ($1, $2), ($1, $3), ($4, $5), ($4, $6), ($7, $8), ($7, $9), "
            "($10, $11), ($10, $12) ON CONFLICT DO NOTHING");
}

}  // namespace
}  // namespace guildhall
