#include "app/ops/transfer/export_folder.h"

#include <fmt/format.h>
#include <stdexcept>
#include <sys/stat.h>

namespace guildhall {
namespace {

namespace fs = std::filesystem;

bool exists_at_all(const fs::path& path) {
  return fs::exists(fs::symlink_status(path));
}

// Restricts an existing empty folder to its owner before anything is written to it.
void take_over(const fs::path& folder) {
  if (!fs::is_directory(folder)) throw std::runtime_error(fmt::format("{} is not a folder.", folder.string()));
  if (!fs::is_empty(folder)) {
    throw std::runtime_error(
        fmt::format("{} is not empty: name a new folder, so that nothing is overwritten.", folder.string()));
  }
  if (::chmod(folder.c_str(), 0700) != 0) {
    throw std::runtime_error(
        fmt::format("{} belongs to somebody else, who could read the export: name a new folder.", folder.string()));
  }
}

}  // namespace

ExportFolder::ExportFolder(fs::path path) : path_(fs::absolute(path).lexically_normal()) {
  if (exists_at_all(path_)) {
    take_over(path_);
    return;
  }
  make_private_folders(path_);
  created_.push_back(path_);
}

ExportFolder::~ExportFolder() {
  if (kept_) return;
  std::error_code ignored;
  for (auto path = created_.rbegin(); path != created_.rend(); ++path) fs::remove(*path, ignored);
}

PrivateFile ExportFolder::create(const std::string& name) {
  created_.push_back(path_ / name);
  return PrivateFile(created_.back());
}

}  // namespace guildhall
