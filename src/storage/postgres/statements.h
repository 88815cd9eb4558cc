#pragma once

#include <libpq-fe.h>
#include <string>
#include <unordered_map>

#include "storage/database.h"

namespace guildhall {

// The statements that a connection has prepared, and how they are sent. The connection is in pipeline mode:
// nothing waits, and results come in the order of sending.
class PgStatements {
 public:
  enum class Sent {
    failed,                // the connection is broken
    statement,             // one result is to come
    prepare_and_statement  // two are to come
  };

  Sent send(PGconn* connection, const Query& query);

  // The server did not carry out the preparation: it is made anew with the next use, under another name.
  void forget(const Sql& sql) { names_.erase(&sql); }

 private:
  std::unordered_map<const Sql*, std::string> names_;
  std::uint64_t last_name_ = 0;
};

}  // namespace guildhall
