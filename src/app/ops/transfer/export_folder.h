#pragma once

#include <filesystem>
#include <vector>

#include "base/private_file.h"

namespace guildhall {

// The folder of an export. Unless keep() is called, everything that was written is removed again, so that an export
// that failed leaves nothing that looks like one.
class ExportFolder {
 public:
  // Creates the folder, or takes one that is empty, and makes it readable by its owner alone. Throws std::runtime_error
  // with a sentence for the operator when there is anything in it.
  explicit ExportFolder(std::filesystem::path path);
  ExportFolder(const ExportFolder&) = delete;
  ExportFolder& operator=(const ExportFolder&) = delete;
  ~ExportFolder();

  PrivateFile create(const std::string& name);
  void keep() { kept_ = true; }

 private:
  std::filesystem::path path_;
  std::vector<std::filesystem::path> created_;  // in this order
  bool kept_ = false;
};

}  // namespace guildhall
