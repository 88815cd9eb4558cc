#pragma once

#include <string>
#include <vector>

#include "storage/postgres/result.h"
#include "storage/postgres/settings.h"
#include "storage/postgres/statements.h"

namespace guildhall {

// A blocking connection in pipeline mode, for one thread. Statements are sent without waiting; collect()
// waits for all that were sent since the last one. Every function throws ConnectionLost when the connection
// is broken, after which it is good for nothing.
class PgConnection {
 public:
  // Throws std::runtime_error with libpq's sentence when the server cannot be reached.
  explicit PgConnection(const std::string& url);

  void send(const Query& query);

  // The end of what stands or falls together: after an error the server skips everything up to here.
  void send_sync();

  // Returns the last statement's result. Throws the first error, having read the rest.
  PgResult collect();

  // Several statements without parameters; nothing may be under way.
  void run_script(const std::string& statements);

  // True when the server has closed the connection, or said so, while nothing was under way.
  bool ended_while_idle() const;

 private:
  enum class Expected { preparation, statement, sync };
  struct Sent {
    Expected expected;
    const Sql* sql;
  };

  PgResult collect_one(const Sent& sent, std::exception_ptr& first_error);
  // Throws ConnectionLost unless the call succeeded, from then on always.
  void require(bool succeeded);

  PgHandle connection_;
  bool lost_ = false;
  PgStatements statements_;
  std::vector<Sent> sent_;
};

}  // namespace guildhall
