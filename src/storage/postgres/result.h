#pragma once

#include <libpq-fe.h>
#include <memory>

#include "storage/database.h"

namespace guildhall {

struct ClearResult {
  void operator()(PGresult* result) const { PQclear(result); }
};
using PgResult = std::unique_ptr<PGresult, ClearResult>;

// Passes each row to the sink. Returns the number of rows returned or changed.
std::int64_t hand_over(PGresult* result, RowSink sink);

// Passes each row of PgStatements::send_together() to the sink of its use.
void hand_over_each(PGresult* result, FunctionRef<void(std::size_t use, const Row& row)> sink);

}  // namespace guildhall
