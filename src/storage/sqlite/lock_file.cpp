#include "storage/sqlite/lock_file.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <stdexcept>
#include <sys/file.h>
#include <unistd.h>

namespace guildhall {

LockFile::LockFile(const std::string& path) {
  std::string lock = path + ".lock";
  fd_ = ::open(lock.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (fd_ < 0) {
    throw std::runtime_error(fmt::format("The lock file {} cannot be opened: {}.", lock, std::strerror(errno)));
  }
  if (::flock(fd_, LOCK_EX | LOCK_NB) != 0) {
    ::close(fd_);
    throw std::runtime_error(fmt::format(
        "The database file {} is already in use by a running Guildhall, which holds {}: stop that one first.", path,
        lock));
  }
}

LockFile::~LockFile() {
  ::close(fd_);
}

}  // namespace guildhall
