#include "cache/memory/keep_file.h"

#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>
#include <unistd.h>

#include "base/crypto.h"
#include "base/instant.h"
#include "base/log.h"

namespace guildhall {
namespace {

// The file consists of this line; for each entry the time at which it expires, both lengths, key and value; and a
// checksum of all that. Integers have the byte order of the machine, because the file is only read on it.
constexpr std::string_view first_line = "guildhall cache 1\n";
constexpr std::size_t checksum_bytes = std::tuple_size_v<Sha256>;

struct Head {
  std::int64_t expires_ms;
  std::uint64_t key_bytes;
  std::uint64_t value_bytes;
};

std::string checksum(std::string_view content) {
  const Sha256 digest = sha256(content);
  return {digest.begin(), digest.end()};
}

std::string encode(const std::vector<MemoryStore::Kept>& entries) {
  std::string content(first_line);
  const Instant saved_at = now();
  for (const auto& [key, value, left] : entries) {
    const Head head{(saved_at + left).ms, key.size(), value.size()};
    content.append(reinterpret_cast<const char*>(&head), sizeof head).append(key).append(value);
  }
  return content + checksum(content);
}

// Returns the entries of a file whose first line and checksum are right; nothing otherwise.
std::optional<std::string_view> checked(std::string_view content) {
  if (content.size() < first_line.size() + checksum_bytes || !content.starts_with(first_line)) return std::nullopt;
  const std::string_view sum = content.substr(content.size() - checksum_bytes);
  content.remove_suffix(checksum_bytes);
  if (checksum(content) != sum) return std::nullopt;
  return content.substr(first_line.size());
}

void put_entries(MemoryStore& store, std::string_view rest) {
  const Instant loaded_at = now();
  Head head{};
  while (rest.size() >= sizeof head) {
    std::memcpy(&head, rest.data(), sizeof head);
    rest.remove_prefix(sizeof head);
    if (head.key_bytes > rest.size() || head.value_bytes > rest.size() - head.key_bytes) return;
    const std::chrono::milliseconds left(head.expires_ms - loaded_at.ms);
    if (left.count() > 0)
      store.put(rest.substr(0, head.key_bytes), rest.substr(head.key_bytes, head.value_bytes), left);
    rest.remove_prefix(head.key_bytes + head.value_bytes);
  }
}

[[noreturn]] void throw_errno(const std::string& what) {
  throw std::system_error(errno, std::generic_category(), what);
}

// A descriptor that closes itself.
class File {
 public:
  File(const std::string& path, int flags) : path_(path), fd_(::open(path.c_str(), flags | O_CLOEXEC, 0600)) {
    if (fd_ < 0) throw_errno(path_);
  }
  ~File() { ::close(fd_); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  void write(std::string_view content) {
    while (!content.empty()) {
      const ssize_t written = ::write(fd_, content.data(), content.size());
      if (written < 0 && errno != EINTR) throw_errno(path_);
      if (written > 0) content.remove_prefix(static_cast<std::size_t>(written));
    }
  }

  void sync() {
    if (::fsync(fd_) != 0) throw_errno(path_);
  }

 private:
  const std::string path_;
  const int fd_;
};

}  // namespace

void save_to_file(const MemoryStore& store, const std::string& path) {
  const std::string fresh = path + ".new";
  std::filesystem::remove(fresh);  // a file left by a crash may have another mode
  {
    File file(fresh, O_WRONLY | O_CREAT | O_EXCL);
    file.write(encode(store.kept()));
    file.sync();
  }
  std::filesystem::rename(fresh, path);
  const std::string folder = std::filesystem::path(path).parent_path().string();
  File(folder.empty() ? "." : folder, O_RDONLY | O_DIRECTORY).sync();
}

void load_from_file(MemoryStore& store, const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return;  // there is none at the first start
  const std::string content{std::istreambuf_iterator<char>(file), {}};
  const auto entries = checked(content);
  if (!entries) {
    log::warn("The kept cache entries are damaged or of another version and are ignored.", {{"file", path}});
    return;
  }
  put_entries(store, *entries);
  std::filesystem::remove(path);
}

}  // namespace guildhall
