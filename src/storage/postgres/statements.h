#pragma once

#include <array>
#include <bit>
#include <libpq-fe.h>
#include <span>
#include <string>
#include <unordered_map>

#include "storage/database.h"
#include "storage/postgres/writes.h"

namespace guildhall {

// Sends statements on a connection and keeps track of those it has prepared. The connection is in pipeline mode:
// sending does not wait for results, which arrive in the order of sending.
class PgStatements {
 public:
  enum class Sent {
    failed,                // the connection is broken
    statement,             // one result will follow
    prepare_and_statement  // two results will follow
  };

  // An INSERT that lists_rows() can be sent once for 2, 4, 8 or 16 `times`, whose parameters follow one another.
  Sent send(PGconn* connection, const Query& query, std::size_t times = 1);

  // Sends several uses of one reading statement, whose parameters are all texts, as one. The result has the rows of the
  // first use, then those of the second and so on; its last column is the number of the use, counted from 1.
  Sent send_together(PGconn* connection, std::span<const Query* const> uses);

  // To be called when the server did not prepare the statement: its next use prepares it again, under another name.
  void forget(const Sql& sql, std::size_t times = 1) { name(sql, times).clear(); }
  void forget_together(const Sql& sql) { together_names_.erase(&sql); }

 private:
  Sent send(PGconn* connection, std::string& name, FunctionRef<std::string()> text, const std::vector<Value>& params);

  std::string& name(const Sql& sql, std::size_t times) {
    return names_[&sql].at(static_cast<std::size_t>(std::countr_zero(times)));
  }

  using NamesByTimes = std::array<std::string, std::countr_zero(times_max) + 1>;  // 1, 2, 4 …
  std::unordered_map<const Sql*, NamesByTimes> names_;
  std::unordered_map<const Sql*, std::string> together_names_;
  std::uint64_t last_name_ = 0;
};

}  // namespace guildhall
