#pragma once

#include <string>

namespace guildhall {

// Held while a process uses a database file: two writers with a group commit each would stand in each other's
// way. The kernel drops it with the process, however that ends.
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
