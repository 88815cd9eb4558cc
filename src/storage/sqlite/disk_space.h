#pragma once

#include <cstdint>
#include <string>

namespace guildhall {

struct DiskSpace {
  std::uint64_t total = 0;  // bytes
  std::uint64_t free = 0;   // bytes that this process may use

  // True when the operator should make space soon.
  bool is_low() const;
};

// Reads the space of the file system that contains the file or folder. A file system that does not report it counts as
// large and empty.
DiskSpace disk_space(const std::string& path);

// The number of 4 KiB pages that the write-ahead log may have before its pages are moved to the database file. It is
// lower where little space is left, because a checkpoint may have to extend that file by as many pages.
int log_pages_max(const DiskSpace& space);

}  // namespace guildhall
