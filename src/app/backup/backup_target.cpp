#include "app/backup/backup_target.h"

#include <algorithm>
#include <fmt/format.h>

#include "app/backup/backup.h"

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
  if (backups.empty()) return std::nullopt;
  std::error_code failed;
  const auto written = fs::last_write_time(backups.back(), failed);
  if (failed) return std::nullopt;
  const auto age = std::chrono::duration_cast<std::chrono::milliseconds>(fs::file_time_type::clock::now() - written);
  return now() - age;
}

std::optional<Instant> newest_backup_in_target(const BackupConfig& config) {
  if (!is_s3_url(config.backup_target)) return newest_backup(fs::path(config.backup_target));
  const auto backups = backups_in(open_s3(config, as_folder(parse_s3_url(config.backup_target))));
  return backups.empty() ? std::nullopt : time_of(backups.back().name);
}

}  // namespace guildhall
