#include "app/ops/backup/backup.h"

#include <algorithm>
#include <fcntl.h>
#include <fstream>
#include <sys/file.h>
#include <unistd.h>

#include "app/ops/backup/backup_file.h"
#include "app/ops/backup/backup_target.h"
#include "app/ops/backup/child_process.h"
#include "app/ops/installation.h"
#include "app/ops/progress.h"
#include "app/running_server.h"
#include "base/clock.h"
#include "base/private_file.h"
#include "storage/backup.h"
#include "storage/columns.h"
#include "storage/storage.h"

namespace guildhall {
namespace {

namespace fs = std::filesystem;

// The folder of the only backup that is running there; created if it is missing. Locking the folder itself leaves no
// file behind.
class LockedFolder {
 public:
  explicit LockedFolder(fs::path folder) : path(std::move(folder)) {
    make_private_folders(path);
    fd_ = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd_ >= 0 && ::flock(fd_, LOCK_EX | LOCK_NB) == 0) return;
    if (fd_ >= 0) ::close(fd_);
    throw std::runtime_error(fmt::format("Another backup to {} is running.", path.string()));
  }
  LockedFolder(const LockedFolder&) = delete;
  LockedFolder& operator=(const LockedFolder&) = delete;
  ~LockedFolder() { ::close(fd_); }

  // Gives the file its name, also after a power failure.
  void rename(const fs::path& from, const fs::path& to) const {
    fs::rename(from, to);
    ::fsync(fd_);
  }

  const fs::path path;

 private:
  int fd_ = -1;
};

// A file that is deleted at the end, like one that a former process has left.
class TemporaryFile {
 public:
  explicit TemporaryFile(fs::path path) : path(std::move(path)) { remove(); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() { remove(); }
  const fs::path path;

 private:
  void remove() const {
    std::error_code ignored;
    fs::remove(path, ignored);
    fs::remove(path.string() + "-journal", ignored);  // SQLite's
  }
};

void require_no_stop(const std::stop_token& stop) {
  if (stop.stop_requested()) throw std::runtime_error("The backup was stopped.");
}

void back_up_sqlite(const std::string& path, const fs::path& folder, BackupWriter& writer,
                    const std::stop_token& stop) {
  const TemporaryFile copy(folder / "copy.db.partial");
  {
    std::error_code ignored;
    const auto size = static_cast<std::int64_t>(fs::file_size(path, ignored));
    Progress progress("copying", std::max<std::int64_t>(0, size), Progress::Unit::bytes);
    copy_sqlite(path, copy.path, [&](std::int64_t done, std::int64_t) {
      require_no_stop(stop);
      progress.add(done - progress.done());
    });
  }
  check_sqlite(copy.path);
  open_installation(fmt::format("{}{}", sqlite_prefix, copy.path.string()));
  Progress progress("compressing", static_cast<std::int64_t>(fs::file_size(copy.path)), Progress::Unit::bytes);
  std::ifstream file(copy.path, std::ios::binary);
  std::string data(1 << 20, '\0');
  while (file.read(data.data(), static_cast<std::streamsize>(data.size())), file.gcount() > 0) {
    require_no_stop(stop);
    writer.write(std::string_view(data).substr(0, static_cast<std::size_t>(file.gcount())));
    progress.add(file.gcount());
  }
}

struct PostgresServer {
  std::int64_t major = 0;
  std::string schema;
  std::int64_t bytes = 0;  // of the tables without indexes; the output of pg_dump has about as many
};

PostgresServer server_of(const std::string& url) {
  PostgresServer server;
  const Sql sql(
      "SELECT CAST(current_setting('server_version_num') AS bigint) / 10000, CAST(current_schema() AS text),"
      " (SELECT CAST(coalesce(sum(pg_table_size(c.oid)), 0) AS bigint) FROM pg_class c"
      " WHERE c.relkind = 'r' AND c.relnamespace = CAST(CAST(current_schema() AS text) AS regnamespace))");
  open_read_only(url)->read([&](Tx& tx) {
    tx.run({&sql, {}}, [&](const Row& row) { server = {row.integer(0), std::string(row.text(1)), row.integer(2)}; });
  });
  return server;
}

// pg_dump (PostgreSQL) 15.5 (Debian 15.5-0+deb12u1)
void require_version(const std::string& program, std::int64_t server_major) {
  ChildProcess version({program, "--version"}, {}, ChildProcess::Pipe::output);
  std::string text;
  for (std::string_view part = version.read(); !part.empty(); part = version.read()) text += part;
  version.finish();
  const std::size_t number = text.find_first_of("0123456789");
  const std::int64_t major = number == std::string::npos ? 0 : std::stoll(text.substr(number));
  if (major >= server_major) return;
  throw std::runtime_error(fmt::format("{} has version {}, but the server has {}: install postgresql-client-{}.",
                                       program, major, server_major, server_major));
}

void back_up_postgres(const std::string& url, const PostgresServer& server, BackupWriter& writer,
                      const std::stop_token& stop) {
  require_version("pg_dump", server.major);
  // The file is compressed by us, together with that of SQLite.
  ChildProcess dump(
      {"pg_dump", "--format=custom", "--compress=0", "--no-owner", "--no-privileges", "--schema=" + server.schema},
      postgres_environment(url), ChildProcess::Pipe::output);
  Progress progress("dumping", server.bytes, Progress::Unit::bytes);
  for (std::string_view part = dump.read(); !part.empty(); part = dump.read()) {
    require_no_stop(stop);
    writer.write(part);
    progress.add(std::ssize(part));
  }
  dump.finish();
}

// Reads the whole file again, as far as that is possible: only the owner of the secret key can read an encrypted one.
void verify(const fs::path& file, bool encrypted, const std::stop_token& stop) {
  if (encrypted) return;
  BackupReader reader(file, "");
  while (!reader.read().empty()) require_no_stop(stop);
}

// Returns the path of the new file.
fs::path write_backup(const Config& config, const LockedFolder& folder, const std::stop_token& stop) {
  const std::string& url = config.database_url;
  const bool sqlite = url.starts_with(sqlite_prefix);
  const fs::path file = folder.path / backup_name(now());
  if (fs::exists(file)) throw std::runtime_error(fmt::format("{} exists already.", file.string()));
  const TemporaryFile partial(folder.path / "guildhall.backup.partial");
  const PostgresServer server = sqlite ? PostgresServer{} : server_of(url);
  {
    BackupWriter writer(partial.path,
                        {.engine = sqlite ? "sqlite" : "postgresql",
                         .version = GUILDHALL_VERSION,
                         .schema = server.schema,
                         .created_at = now()},
                        config.backup_public_key);
    sqlite ? back_up_sqlite(url.substr(sqlite_prefix.size()), folder.path, writer, stop)
           : back_up_postgres(url, server, writer, stop);
    writer.finish();
  }
  verify(partial.path, !config.backup_public_key.empty(), stop);
  folder.rename(partial.path, file);
  return file;
}

// All but the newest.
template <class T>
std::vector<T> superfluous(std::vector<T> sorted, std::int64_t keep) {
  sorted.resize(static_cast<std::size_t>(std::max<std::int64_t>(0, std::ssize(sorted) - keep)));
  return sorted;
}

Backup back_up_to_folder(const Config& config, const LockedFolder& folder, const std::stop_token& stop) {
  const fs::path file = write_backup(config, folder, stop);
  Backup backup{.file = file.string(), .bytes = static_cast<std::int64_t>(fs::file_size(file))};
  for (const fs::path& old : superfluous(backups_in(folder.path), config.backup_keep)) {
    fs::remove(old);
    backup.deleted.push_back(old.string());
  }
  return backup;
}

Backup back_up_to_s3(const Config& config, const S3Location& location, const std::stop_token& stop) {
  const S3Folder target = open_s3(config, as_folder(location));
  const LockedFolder folder(transfer_folder(config));
  for (const fs::path& left : backups_in(folder.path)) fs::remove(left);  // by a process that was ended
  const fs::path file = write_backup(config, folder, stop);
  const FileRemoval removal(file);
  const std::string name = file.filename().string();
  target.upload(file, name);
  Backup backup{.file = target.url(name), .bytes = static_cast<std::int64_t>(fs::file_size(file))};
  for (const S3Object& old : superfluous(backups_in(target), config.backup_keep)) {
    target.remove(old.name);
    backup.deleted.push_back(target.url(old.name));
  }
  return backup;
}

// A command may have another environment than the server. A backup of the wrong database would be noticed only when it
// is needed.
void require_database_of_server(const Config& config) {
  open_installation(config.database_url)->read([&](Tx& tx) {
    if (is_database_of_server(tx, config.data_dir)) return;
    throw std::runtime_error(fmt::format(
        "The server that runs with DATA_DIR={} does not use the database that DATABASE_URL names here. Give "
        "this command the server's variables: compare them with `guildhall config`.",
        config.data_dir));
  });
}

}  // namespace

Backup back_up(const Config& config, const std::string& target, const std::stop_token& stop) {
  require_database_of_server(config);  // first: nothing is created when there is no database
  Backup backup = is_s3_url(target) ? back_up_to_s3(config, parse_s3_url(target), stop)
                                    : back_up_to_folder(config, LockedFolder(target), stop);
  backup.encrypted = !config.backup_public_key.empty();
  return backup;
}

}  // namespace guildhall
