#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "base/job_failures.h"
#include "storage/storage.h"

namespace guildhall {

// Fills what lists need in rows from before an update: the long part of a migration, which runs in small transactions
// while the server works. Until it has ended, a search does not find these rows. The log, `/metrics` and `/readyz` show
// the progress. Any number of nodes may run it.
class ListFill {
 public:
  explicit ListFill(Metrics& metrics);

  // Fills all rows, unless `stopping` is set meanwhile. Cheap if there are none. A table that fails does not stop the
  // others.
  void run(Storage& storage, const std::atomic<bool>& stopping, const JobFailures& failures = {});

  // A sentence for the operator about each table that is not filled yet. May be called from any thread.
  std::vector<std::string> warnings() const;

 private:
  struct Table;
  void fill(Storage& storage, Table& table, const std::atomic<bool>& stopping, const JobFailures& failures) const;

  std::vector<std::shared_ptr<Table>> tables_;  // the metrics keep them alive
};

}  // namespace guildhall
