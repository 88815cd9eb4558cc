#pragma once

#include <vector>

#include "storage/database.h"

namespace guildhall {

// The writes of a transaction whose body has ended. Nothing of them was sent yet.
struct PgWrites {
  struct Statement {
    Query query;
    SharedRow shared_row{};
    std::size_t times = 1;  // of how many transactions an INSERT lists the rows; their parameters follow one another
  };
  std::vector<Statement> statements;
  std::vector<Tx::Refused> refused;  // each checks the name of the constraint
};

// An INSERT lists its rows 1, 2, 4 … times, so that few different statements have to be prepared.
constexpr std::size_t times_max = 16;

// The writes of several transactions as those of one. Transactions that consist of the same INSERT statements are
// joined: each of these statements inserts the rows of several transactions, which costs the server less.
//
// Their statements are sent in another order than one transaction after the other. That is allowed because no body has
// seen the writes of another one, and because statements that change or delete rows are not moved past each other. An
// INSERT … SELECT may see rows of all transactions that it is joined with.
PgWrites join(std::vector<PgWrites> transactions);

// Whether all that the statement does is to insert the rows that it lists.
bool lists_rows(const Sql& sql);

// The text of such a statement that lists its rows several times, each time with the next parameters:
//   INSERT INTO t (a, b) VALUES ($1, $2), ($3, $4) ON CONFLICT DO NOTHING
std::string text_with_rows(const Sql& sql, std::size_t params, std::size_t times);

}  // namespace guildhall
