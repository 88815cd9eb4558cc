#pragma once

#include <libpq-fe.h>
#include <memory>

#include "storage/database.h"

namespace guildhall {

struct ClearResult {
  void operator()(PGresult* result) const { PQclear(result); }
};
using PgResult = std::unique_ptr<PGresult, ClearResult>;

// Some rows of a result, or all of them.
struct PgRows {
  std::shared_ptr<PGresult> result;  // null: no rows have arrived yet
  int first = 0;
  int count = 0;
};
PgRows all_rows(PgResult result);
void hand_over(const PgRows& rows, RowSink sink);

// Passes each row to the sink. Returns the number of rows returned or changed.
std::int64_t hand_over(PGresult* result, RowSink sink);

// Divides the rows of PgStatements::send_together() among the uses of the statement. Throws if they are not as
// expected.
std::vector<PgRows> rows_of_each(const PgRows& all, std::size_t uses);

}  // namespace guildhall
