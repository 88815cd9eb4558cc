#pragma once

#include <memory>
#include <string>

#include "storage/database.h"

namespace guildhall {

// Read-only access to an existing database, for commands that inspect it. It creates, migrates and locks nothing, so it
// works while a server is running. Used by one thread.
class ReadOnlyDatabase {
 public:
  virtual ~ReadOnlyDatabase() = default;

  // Runs the body once, on one snapshot of the database, without a time limit. Rethrows the exception of the body;
  // throws std::runtime_error with a sentence for the operator when the database cannot be read to the end.
  virtual void read(FunctionRef<void(Tx&)> body) = 0;

  virtual std::string name() const = 0;  // "sqlite" or "postgresql"
};

// Throws std::runtime_error with a sentence for the operator: a wrong URL, a SQLite file that does not exist, a server
// that does not answer.
std::unique_ptr<ReadOnlyDatabase> open_read_only(const std::string& url);

}  // namespace guildhall
