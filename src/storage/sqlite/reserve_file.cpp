#include "storage/sqlite/reserve_file.h"

#include <algorithm>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "storage/sqlite/disk_space.h"

namespace guildhall {
namespace {

constexpr std::uint64_t mebibyte = 1024 * 1024;
constexpr std::uint64_t share_of_disk = 64;  // as a divisor

std::uint64_t reserve_bytes(const std::string& path) {
  return std::clamp(disk_space(path).total / share_of_disk, mebibyte, 8 * mebibyte);
}

// The bytes that the file occupies on disk, since a copy of it may be sparse.
std::uint64_t occupied_bytes(const std::string& path) {
  struct stat found {};
  return ::stat(path.c_str(), &found) == 0 ? static_cast<std::uint64_t>(found.st_blocks) * 512 : 0;
}

}  // namespace

ReserveFile::ReserveFile(const std::string& path)
    : database_path_(path), path_(path + ".reserve"), bytes_(reserve_bytes(path)) {
  if (disk_space(path).free < mebibyte) release();
}

bool ReserveFile::hold() {
  if (held_) return true;
  const std::uint64_t occupied = std::min(occupied_bytes(path_), bytes_);
  held_ = disk_space(database_path_).free >= bytes_ - occupied && allocate();
  if (!held_) release();
  return held_;
}

bool ReserveFile::leaves_room() const {
  return disk_space(database_path_).free >= bytes_ / 2;
}

bool ReserveFile::allocate() const {
  const int fd = ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (fd < 0) return false;
  const bool allocated = ::posix_fallocate(fd, 0, static_cast<off_t>(bytes_)) == 0;
  ::close(fd);
  return allocated;
}

void ReserveFile::release() {
  held_ = false;
  ::unlink(path_.c_str());
}

}  // namespace guildhall
