#include "features/media/media_folder.h"

#include <fcntl.h>
#include <fstream>
#include <sstream>
#include <unistd.h>

#include "base/private_file.h"
#include "features/media/picture.h"

namespace guildhall {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view id_characters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
constexpr std::string_view unfinished = ".part";

// After this the new name survives a loss of power, too.
void sync_folder(const fs::path& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const bool synced = descriptor >= 0 && ::fsync(descriptor) == 0;
  if (descriptor >= 0) ::close(descriptor);
  if (!synced) throw std::runtime_error(fmt::format("{} cannot be written to the disk.", folder.string()));
}

}  // namespace

// A case-insensitive file system would take two ids for one name. The ids are random, so that never happens.
void MediaFolder::create() const {
  for (const char c : id_characters) make_private_folders(path_ / std::string(1, c));
}

fs::path MediaFolder::path_of(const std::string& id) const {
  return path_ / id.substr(0, 1) / id;
}

void MediaFolder::write(const std::string& id, std::string_view bytes) const {
  const fs::path path = path_of(id);
  fs::path temporary = path;
  temporary += unfinished;
  PrivateFile file(temporary);
  file.write(bytes);
  file.finish();
  fs::rename(temporary, path);
  sync_folder(path.parent_path());
}

std::optional<std::string> MediaFolder::read(const std::string& id) const {
  std::ifstream file(path_of(id), std::ios::binary);
  if (!file) return std::nullopt;
  std::ostringstream bytes;
  bytes << file.rdbuf();
  return std::move(bytes).str();
}

void MediaFolder::sweep(Instant now, FunctionRef<bool(const std::string&)> is_known) const {
  constexpr std::int64_t step_ms = 600'000;
  const auto turn = static_cast<std::size_t>(now.ms / step_ms) % id_characters.size();
  sweep_subfolder(turn, is_known, std::chrono::hours(1));
}

void MediaFolder::sweep_subfolder(std::size_t index, FunctionRef<bool(const std::string&)> is_known,
                                  std::chrono::seconds age_min) const {
  const auto young = fs::file_time_type::clock::now() - age_min;
  std::error_code gone;  // another node may delete the same file
  const fs::path folder = path_ / std::string(1, id_characters[index]);
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    const auto written = entry.last_write_time(gone);
    if (gone || written > young) continue;
    const std::string name = entry.path().filename().string();
    // Files of other programs are left alone.
    const std::string id(std::string_view(name).substr(0, name.find('.')));
    if (!media_id(media_url(id)) || (name != id && name != id + std::string(unfinished))) continue;
    if (name != id || !is_known(id)) fs::remove(entry.path(), gone);
  }
}

}  // namespace guildhall
