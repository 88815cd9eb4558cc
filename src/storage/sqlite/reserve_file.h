#pragma once

#include <atomic>
#include <cstdint>
#include <string>

namespace guildhall {

// Disk space that is kept for the checkpoint of a full disk. Without it the log's pages could never be moved to the
// database file, and the log could never start anew: neither waiting nor a restart would help. The file outlives the
// process. Used by one thread; only is_held() by any.
class ReserveFile {
 public:
  // `<path>.reserve`. Space that an earlier process has kept is given back when there is next to none besides, since
  // SQLite needs some to open the database.
  explicit ReserveFile(const std::string& path);

  // Takes the space unless it is held already. False when there is not enough, with a little left over for writes.
  bool hold();

  // Gives the space back.
  void release();

  bool is_held() const { return held_; }

 private:
  bool allocate() const;

  const std::string path_;
  const std::uint64_t bytes_;
  std::atomic<bool> held_ = false;
};

}  // namespace guildhall
