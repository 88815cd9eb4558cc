#include "app/ops/backup/backup_target.h"

#include <algorithm>
#include <fmt/format.h>

#include "app/ops/backup/backup.h"
#include "app/ops/backup/backup_file.h"
#include "base/clock.h"

namespace guildhall {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view name_begins = "guildhall-", name_ends = ".backup";

// The time in a name: guildhall-20260101T120000Z.backup
std::optional<Instant> time_of(std::string_view name) {
  if (name.size() != name_begins.size() + 16 + name_ends.size()) return std::nullopt;
  const std::string_view t = name.substr(name_begins.size());
  return parse_instant(fmt::format("{}-{}-{}T{}:{}:{}Z", t.substr(0, 4), t.substr(4, 2), t.substr(6, 2), t.substr(9, 2),
                                   t.substr(11, 2), t.substr(13, 2)));
}

// Nothing if there is no such file.
std::optional<Instant> written_at(const fs::path& file) {
  std::error_code failed;
  const auto written = fs::last_write_time(file, failed);
  if (failed) return std::nullopt;
  const auto age = std::chrono::duration_cast<std::chrono::milliseconds>(fs::file_time_type::clock::now() - written);
  return local_now() - age;
}

// Nothing if the file was deleted meanwhile.
std::optional<StoredBackup> stored_backup(const fs::path& path) {
  std::error_code failed;
  const auto bytes = fs::file_size(path, failed);
  const auto written = written_at(path);
  if (failed || !written) return std::nullopt;
  StoredBackup file{.name = path.filename().string(),
                    .created_at = *written,
                    .bytes = static_cast<std::int64_t>(bytes),
                    .engine = {},
                    .version = {}};
  try {
    const BackupHeader header = read_backup_header(path);
    file.created_at = header.created_at;
    file.engine = header.engine;
    file.version = header.version;
    file.encrypted = header.sealed_key.has_value();
    file.verified = !file.encrypted;  // a file gets its name after it was verified
  } catch (const std::exception&) {   // a damaged file; it is listed without these values
  }
  return file;
}

std::optional<StoredBackup> stored_backup(const S3Object& object) {
  return StoredBackup{.name = object.name,
                      .created_at = time_of(object.name).value(),
                      .bytes = object.bytes,
                      .engine = {},
                      .version = {}};
}

}  // namespace

std::string backup_name(Instant at) {
  std::string digits;
  for (const char c : to_string(at).substr(0, 19)) {
    if (c != '-' && c != ':') digits += c;
  }
  return fmt::format("{}{}Z{}", name_begins, digits, name_ends);
}

std::vector<fs::path> backups_in(const fs::path& folder) {
  std::vector<fs::path> found;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with(name_begins) && name.ends_with(name_ends)) found.push_back(entry.path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::vector<S3Object> backups_in(const S3Folder& folder) {
  std::vector<S3Object> found = folder.list(name_begins);
  std::erase_if(found, [](const S3Object& object) { return !time_of(object.name); });
  return found;
}

S3Folder open_s3(const BackupConfig& config, S3Location location) {
  return {{.endpoint = config.backup_s3_endpoint,
           .credentials = {.region = config.backup_s3_region,
                           .access_key = config.backup_s3_access_key,
                           .secret_key = config.backup_s3_secret_key}},
          std::move(location)};
}

S3Location as_folder(S3Location location) {
  if (!location.name.empty()) location.prefix += location.name + "/";
  location.name.clear();
  return location;
}

fs::path transfer_folder(const Config& config) {
  return fs::path(config.data_dir) / "backup-transfer";
}

std::optional<Instant> newest_backup(const fs::path& folder) {
  const std::vector<fs::path> backups = backups_in(folder);
  return backups.empty() ? std::nullopt : written_at(backups.back());
}

std::optional<Instant> newest_backup_in_target(const BackupConfig& config) {
  if (!is_s3_url(config.backup_target)) return newest_backup(fs::path(config.backup_target));
  const auto backups = backups_in(open_s3(config, as_folder(parse_s3_url(config.backup_target))));
  return backups.empty() ? std::nullopt : time_of(backups.back().name);
}

BackupList list_backups(const BackupConfig& config) {
  constexpr std::size_t listed_max = 100;
  BackupList list{.folder = config.backup_target, .items = {}};
  const auto add_newest = [&](const auto& backups) {
    for (auto backup = backups.rbegin(); backup != backups.rend() && list.items.size() < listed_max; ++backup) {
      if (auto stored = stored_backup(*backup)) list.items.push_back(std::move(*stored));
    }
  };
  if (is_s3_url(config.backup_target)) {
    add_newest(backups_in(open_s3(config, as_folder(parse_s3_url(config.backup_target)))));
  } else {
    add_newest(backups_in(fs::path(config.backup_target)));
  }
  return list;
}

}  // namespace guildhall
