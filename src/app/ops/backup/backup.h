#pragma once

#include <filesystem>
#include <iosfwd>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "app/config.h"
#include "base/declared.h"
#include "features/operations/backup_list.h"

// Backups of a whole installation: the database with all tenants. Files in MEDIA_DIR are not part of it. Everything
// throws std::runtime_error with a sentence for the operator.
namespace guildhall {

struct Backup {
  std::string file;  // its path, or s3://…
  std::int64_t bytes = 0;
  bool encrypted = false;
  std::vector<std::string> deleted{};  // older backups
};
BOOST_DESCRIBE_STRUCT(Backup, (), (file, bytes, encrypted, deleted))

// `guildhall backup`: writes one snapshot of the database to a new file in the target, a folder or s3://bucket/prefix,
// with or without a running server, and verifies it. Then deletes all but the newest `config.backup_keep` backups
// there. A backup for s3:// is made in DATA_DIR first. Throws if a server runs with this DATA_DIR and uses another
// database, and soon after a stop was requested.
Backup back_up(const Config& config, const std::string& target, const std::stop_token& stop = {});

struct RestoreOptions {
  std::string secret_key{};  // for an encrypted backup
  bool unencrypted = false;  // the operator says that the backup is not encrypted
};

// `guildhall restore`: restores a backup into the database of the configuration, which must be empty, applies missing
// migrations, and verifies audit trail and fund. Returns false if that finds a problem. `from` is a file, or s3:// with
// the name of a backup or of a folder, whose newest backup is then restored. With a key, and where backups are made
// with BACKUP_PUBLIC_KEY, throws for a backup that is not encrypted: anybody could have made it and put it there.
bool restore_backup(const Config& config, const std::string& from, const RestoreOptions& options, std::ostream& out);

// The time of the newest backup in the folder; nothing if there is none.
std::optional<Instant> newest_backup(const std::filesystem::path& folder);

// The same for the configured target, BACKUP_TO.
std::optional<Instant> newest_backup_in_target(const BackupConfig& config);

// The newest backups in the configured target, newest first. A file that cannot be read is listed without engine and
// version, as are all in a bucket.
BackupList list_backups(const BackupConfig& config);

}  // namespace guildhall
