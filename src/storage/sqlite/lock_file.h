#pragma once

#include <string>

namespace guildhall {

// A lock that is held while a process uses a database file, because two processes with a group commit each would block
// one another. The kernel releases it when the process ends, even after a crash.
class LockFile {
 public:
  // Takes `<path>.lock`. Throws std::runtime_error with a sentence for the operator when it is taken.
  explicit LockFile(const std::string& path);
  LockFile(const LockFile&) = delete;
  LockFile& operator=(const LockFile&) = delete;
  ~LockFile();

 private:
  int fd_;
};

}  // namespace guildhall
