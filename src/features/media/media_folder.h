#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "base/function_ref.h"
#include "base/instant.h"

namespace guildhall {

// The folder in which pictures are stored instead of the database. Each file is named by its id, in one of 64
// subfolders that are named by the id's first character. Only the owner can read the files.
class MediaFolder {
 public:
  explicit MediaFolder(std::filesystem::path path) : path_(std::move(path)) {}

  // Creates the folder and its subfolders where they are missing. Throws std::runtime_error with a sentence for the
  // operator.
  void create() const;

  // Writes the file completely to the disk before it gets its name. Throws std::runtime_error.
  void write(const std::string& id, std::string_view bytes) const;

  // Nothing if there is no such file.
  std::optional<std::string> read(const std::string& id) const;

  // Deletes files that no record names any more, in the subfolder whose turn it is: in ten-minute steps all are visited
  // within eleven hours. Files younger than an hour are kept, because their record may not be committed yet.
  void sweep(Instant now, FunctionRef<bool(const std::string& id)> is_known) const;

  // The same for one subfolder.
  void sweep_subfolder(std::size_t index, FunctionRef<bool(const std::string& id)> is_known,
                       std::chrono::seconds age_min) const;

 private:
  std::filesystem::path path_of(const std::string& id) const;

  std::filesystem::path path_;
};

}  // namespace guildhall
