#pragma once

#include <cstdint>
#include <string>

namespace guildhall {

struct DiskSpace {
  std::uint64_t total = 0;  // bytes
  std::uint64_t free = 0;   // bytes that this process may use

  // True when an operator should do something soon.
  bool is_low() const;
};

// Of the file system that the file or folder stands on. A file system that does not tell counts as large and empty.
DiskSpace disk_space(const std::string& path);

// How many pages of 4 KiB the write-ahead log may have before its pages are moved to the database file: fewer where
// little space is left, since a checkpoint may have to extend that file by as many pages.
int log_pages_max(const DiskSpace& space);

}  // namespace guildhall
