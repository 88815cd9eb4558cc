#include "base/private_file.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <stdexcept>
#include <sys/stat.h>
#include <unistd.h>

namespace guildhall {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t buffer_bytes_max = 64 * 1024;

[[noreturn]] void refuse(const fs::path& path) {
  throw std::runtime_error(fmt::format("{} cannot be created or written: {}.", path.string(), std::strerror(errno)));
}

}  // namespace

// Creates one folder after the other, because the standard library would take their modes from the umask.
void make_private_folders(const fs::path& folder) {
  fs::path made;
  for (const fs::path& step : folder) {
    made /= step;
    if (::mkdir(made.c_str(), 0700) != 0 && errno != EEXIST && errno != EISDIR && !fs::is_directory(made)) refuse(made);
  }
}

PrivateFile::PrivateFile(fs::path path)
    : path_(std::move(path)), fd_(::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600)) {
  if (fd_ < 0) refuse(path_);
}

PrivateFile::~PrivateFile() {
  if (fd_ >= 0) ::close(fd_);
}

void PrivateFile::write(std::string_view text) {
  buffer_ += text;
  if (buffer_.size() >= buffer_bytes_max) flush();
}

void PrivateFile::finish() {
  flush();
  if (::fsync(fd_) != 0) refuse(path_);
}

void PrivateFile::flush() {
  std::string_view rest = buffer_;
  while (!rest.empty()) {
    const ssize_t written = ::write(fd_, rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) refuse(path_);
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
  buffer_.clear();
}

}  // namespace guildhall
