#pragma once

#include <cstdint>
#include <string>

namespace guildhall {

// Disk space that is kept for the checkpoint of a full disk. Without it the log's pages could never be moved to the
// database file, and the log could never start anew: neither waiting nor a restart would help. The file outlives the
// process. Used by one thread.
class ReserveFile {
 public:
  // `<path>.reserve`. Space that an earlier process has kept is given back when there is next to none besides, since
  // SQLite needs some to open the database.
  explicit ReserveFile(const std::string& path);

  // Takes the space unless it is held already. False when there is not enough.
  bool hold();

  // True when there is so much space besides that a write does not fail at once.
  bool leaves_room() const;

  // Gives the space back.
  void release();

 private:
  bool allocate() const;

  const std::string database_path_;
  const std::string path_;
  const std::uint64_t bytes_;
  bool held_ = false;
};

}  // namespace guildhall
