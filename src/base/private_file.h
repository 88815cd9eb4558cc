#pragma once

#include <filesystem>
#include <string>
#include <string_view>

// Files and folders that only their owner can read, from the moment they exist.
namespace guildhall {

// Creates a folder with mode 0700, and those above it that are missing; existing folders are left as they are. Throws
// std::runtime_error with a sentence for the operator.
void make_private_folders(const std::filesystem::path& folder);

// A new file with mode 0600, written through a buffer. All functions throw std::runtime_error with a sentence for the
// operator.
class PrivateFile {
 public:
  // Throws if there is anything at the path, a link included.
  explicit PrivateFile(std::filesystem::path path);
  PrivateFile(const PrivateFile&) = delete;
  PrivateFile& operator=(const PrivateFile&) = delete;
  ~PrivateFile();

  void write(std::string_view text);

  // Writes the rest and syncs it to the disk. Without this call the file may be incomplete.
  void finish();

 private:
  void flush();

  std::filesystem::path path_;
  int fd_;
  std::string buffer_;
};

}  // namespace guildhall
