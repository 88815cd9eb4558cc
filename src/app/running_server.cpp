#include "app/running_server.h"

#include <fcntl.h>
#include <filesystem>
#include <sys/file.h>
#include <unistd.h>

#include "base/log.h"
#include "base/private_file.h"
#include "features/operations/nodes.h"

namespace guildhall {
namespace {

namespace fs = std::filesystem;

fs::path records_folder(const std::string& data_dir) {
  return fs::path(data_dir) / "running";
}

// Whether a process holds the lock of the file.
bool is_locked(const fs::path& file) {
  const int fd = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  const bool locked = ::flock(fd, LOCK_SH | LOCK_NB) != 0;
  ::close(fd);
  return locked;
}

// A file that gets its name after it is locked, so that it never looks like one of a process that has ended.
int create_locked(const fs::path& file) {
  const fs::path unnamed = file.parent_path() / ("." + file.filename().string());
  const int fd = ::open(unnamed.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (fd >= 0 && ::flock(fd, LOCK_EX | LOCK_NB) == 0 && ::rename(unnamed.c_str(), file.c_str()) == 0) return fd;
  if (fd >= 0) ::close(fd);
  throw std::runtime_error("Cannot write " + file.string() + ".");
}

bool is_record(const fs::path& file) {
  return !file.filename().string().starts_with('.');
}

}  // namespace

RunningServer::RunningServer(const std::string& data_dir, const std::string& node_id) {
  try {
    const fs::path folder = records_folder(data_dir);
    make_private_folders(folder);
    for (const auto& entry : fs::directory_iterator(folder)) {
      if (is_record(entry.path()) && !is_locked(entry.path())) fs::remove(entry.path());
    }
    path_ = folder / node_id;
    fd_ = create_locked(path_);
  } catch (const std::exception& error) {
    log::warn("commands cannot see that this server runs", {{"error", error.what()}});
  }
}

RunningServer::~RunningServer() {
  if (fd_ < 0) return;
  ::unlink(path_.c_str());
  ::close(fd_);
}

bool is_database_of_server(Tx& tx, const std::string& data_dir) {
  std::error_code missing;
  bool running = false;
  for (const auto& entry : fs::directory_iterator(records_folder(data_dir), missing)) {
    if (!is_record(entry.path()) || !is_locked(entry.path())) continue;
    if (tx.one(node_by_id(entry.path().filename().string()))) return true;
    running = true;
  }
  return !running;
}

}  // namespace guildhall
