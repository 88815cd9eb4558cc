#include "app/secret_file.h"

#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <unistd.h>

#include "base/crypto.h"
#include "base/encoding.h"
#include "base/private_file.h"

namespace guildhall {

std::optional<std::string> read_generated_secret(const std::string& path) {
  std::string secret;
  if (std::ifstream(path) >> secret && secret.size() >= 32) return secret;
  return std::nullopt;
}

std::string generated_secret(const std::string& path) {
  if (const auto existing = read_generated_secret(path)) return *existing;
  make_private_folders(std::filesystem::path(path).parent_path());
  const std::string secret = base64url(random_bytes(32));
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  const std::string line = secret + "\n";
  const bool written = file >= 0 && ::write(file, line.data(), line.size()) == static_cast<ssize_t>(line.size());
  if (file >= 0) ::close(file);
  if (!written) throw std::runtime_error("Cannot write " + path + ".");
  return secret;
}

}  // namespace guildhall
