#pragma once

#include <libpq-fe.h>
#include <string>
#include <unordered_map>

#include "storage/database.h"

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

  Sent send(PGconn* connection, const Query& query);

  // To be called when the server did not prepare the statement: its next use prepares it again, under another name.
  void forget(const Sql& sql) { names_.erase(&sql); }

 private:
  std::unordered_map<const Sql*, std::string> names_;
  std::uint64_t last_name_ = 0;
};

}  // namespace guildhall
