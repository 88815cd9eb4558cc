#pragma once

#include <exception>

#include "storage/sqlite/connection.h"

namespace guildhall {

// A transaction's body on SQLite. Whoever makes it has begun a transaction or savepoint and ends it.
class SqliteTx : public Tx {
 public:
  explicit SqliteTx(SqliteConnection& connection) : connection_(connection) {}

  using Tx::run;
  std::int64_t run(const Query& query, RowSink sink) override;
  using Tx::later;
  // Nothing travels here, so there is nothing to gain from waiting.
  void later(Query query, Refused refused) override;
  bool has_single_writer() const override { return true; }

  // Throws the error that a statement failed with, should the body have swallowed it.
  void check() const;

 private:
  void run_script(std::string_view statements) override;
  void lift_time_limits() override {}  // there are none

  SqliteConnection& connection_;
  std::exception_ptr failed_;
};

}  // namespace guildhall
