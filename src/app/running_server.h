#pragma once

#include <string>

#include "storage/database.h"

namespace guildhall {

// The record of a running server in DATA_DIR: a file `running/<node id>` that is locked while the process lives. The
// kernel releases the lock when the process ends, even after a crash. Commands find out with it whether they were given
// the database of the running server.
class RunningServer {
 public:
  // Also deletes the records of processes that have ended. A folder that cannot be written only costs the record.
  RunningServer(const std::string& data_dir, const std::string& node_id);
  RunningServer(const RunningServer&) = delete;
  RunningServer& operator=(const RunningServer&) = delete;
  ~RunningServer();

 private:
  std::string path_;
  int fd_ = -1;
};

// Whether one of the servers that run with this DATA_DIR has announced itself in this database (features/operations/
// nodes.h). True if no server runs.
bool is_database_of_server(Tx& tx, const std::string& data_dir);

}  // namespace guildhall
