#pragma once

#include <cstdint>
#include <string>

namespace guildhall {

// A file that reserves disk space for a checkpoint on a full disk. Without it the log's pages could never be moved to
// the database file, and the log could never be truncated; neither waiting nor a restart would help. The file is kept
// when the process ends. Used by one thread.
class ReserveFile {
 public:
  // Uses `<path>.reserve`. Frees the space that an earlier process reserved when there is almost no other, because
  // SQLite needs some to open the database.
  explicit ReserveFile(const std::string& path);

  // Reserves the space unless it is reserved already. Returns false when there is not enough.
  bool hold();

  // True when there is enough other space for the next writes.
  bool leaves_room() const;

  // Frees the space.
  void release();

 private:
  bool allocate() const;

  const std::string database_path_;
  const std::string path_;
  const std::uint64_t bytes_;
  bool held_ = false;
};

}  // namespace guildhall
