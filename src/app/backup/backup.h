#pragma once

#include <filesystem>
#include <iosfwd>
#include <optional>
#include <string>

#include "app/config.h"
#include "features/operations/backup_list.h"

// Backups of a whole installation: the database with all tenants. Files in MEDIA_DIR are not part of it. Everything
// throws std::runtime_error with a sentence for the operator.
namespace guildhall {

// `guildhall backup`: writes one snapshot of the database to a new file in the folder, with or without a running
// server, and verifies it. Then deletes all but the newest `config.backup_keep` backups there. Returns the path.
std::filesystem::path back_up(const Config& config, const std::filesystem::path& folder, std::ostream& out);

// `guildhall restore`: restores a backup into the database of the configuration, which must be empty, applies missing
// migrations, and verifies audit trail and fund. Returns false if that finds a problem.
bool restore_backup(const Config& config, const std::filesystem::path& file, const std::string& secret_key,
                    std::ostream& out);

// The time of the newest backup in the folder; nothing if there is none.
std::optional<Instant> newest_backup(const std::filesystem::path& folder);

// The newest backups in the folder, newest first. A file that cannot be read is listed without engine and version.
std::vector<StoredBackup> list_backups(const std::filesystem::path& folder);

}  // namespace guildhall
