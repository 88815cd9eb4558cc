#pragma once

#include <exception>

#include "storage/sqlite/connection.h"

namespace guildhall {

// A transaction on SQLite, as passed to its body. The creator begins and ends the transaction or savepoint.
class SqliteTx : public Tx {
 public:
  explicit SqliteTx(SqliteConnection& connection) : connection_(connection) {}

  using Tx::run;
  std::int64_t run(const Query& query, RowSink sink) override;
  using Tx::later;
  // Runs the statement at once: without a network there is nothing to gain from deferring it.
  void later(Query query, Refused refused) override;
  bool has_single_writer() const override { return true; }

  // Throws the error of a statement that failed, in case the body has caught it.
  void check() const;

 private:
  void run_script(std::string_view statements) override;
  void lift_time_limits() override {}  // there are none

  SqliteConnection& connection_;
  std::exception_ptr failed_;
};

}  // namespace guildhall
