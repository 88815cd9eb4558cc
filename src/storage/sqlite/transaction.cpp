#include "storage/sqlite/transaction.h"

namespace guildhall {

std::int64_t SqliteTx::run(const Query& query, RowSink sink) {
  check();
  bool in_sink = false;
  try {
    return connection_.run(query, [&](const Row& row) {
      in_sink = true;
      sink(row);
      in_sink = false;
    });
  } catch (...) {
    // An exception of the sink does not fail the transaction.
    if (!in_sink) failed_ = std::current_exception();
    throw;
  }
}

void SqliteTx::later(Query query, Refused refused) {
  try {
    run(query);
  } catch (const ConstraintViolation& violation) {
    try {
      refused(violation);
    } catch (...) {
      failed_ = std::current_exception();
      throw;
    }
    throw;
  }
}

void SqliteTx::run_script(std::string_view statements) {
  check();
  try {
    connection_.run_script(std::string(statements));
  } catch (...) {
    failed_ = std::current_exception();
    throw;
  }
}

void SqliteTx::check() const {
  if (failed_) std::rethrow_exception(failed_);
}

}  // namespace guildhall
