#include "storage/sqlite/disk_space.h"

#include <algorithm>
#include <limits>
#include <sys/statvfs.h>

namespace guildhall {
namespace {

constexpr std::uint64_t page_bytes = 4096;
constexpr std::uint64_t low_bytes_max = 1024ull * 1024 * 1024;
constexpr std::uint64_t share_of_log = 8;  // of the free space, as a divisor
constexpr std::uint64_t log_pages_least = 250;
constexpr std::uint64_t log_pages_most = 8'000;

}  // namespace

bool DiskSpace::is_low() const {
  return free < std::min(total / 10, low_bytes_max);
}

DiskSpace disk_space(const std::string& path) {
  struct statvfs found {};
  if (::statvfs(path.c_str(), &found) != 0 || found.f_blocks == 0) {
    constexpr auto unknown = std::numeric_limits<std::uint64_t>::max();
    return {unknown, unknown};
  }
  return {found.f_blocks * found.f_frsize, found.f_bavail * found.f_frsize};
}

int log_pages_max(const DiskSpace& space) {
  return static_cast<int>(std::clamp(space.free / share_of_log / page_bytes, log_pages_least, log_pages_most));
}

}  // namespace guildhall
