#include "app/backup/backup.h"

#include <algorithm>
#include <fcntl.h>
#include <fstream>
#include <ostream>
#include <sys/file.h>
#include <unistd.h>

#include "app/backup/backup_file.h"
#include "app/backup/child_process.h"
#include "app/installation.h"
#include "app/progress.h"
#include "base/clock.h"
#include "base/private_file.h"
#include "storage/backup.h"
#include "storage/columns.h"

namespace guildhall {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view name_begins = "guildhall-", name_ends = ".backup";
constexpr std::string_view sqlite_prefix = "sqlite:";

// guildhall-20260101T120000Z.backup: the names sort by time.
std::string name_at(Instant at) {
  std::string digits;
  for (const char c : to_string(at).substr(0, 19)) {
    if (c != '-' && c != ':') digits += c;
  }
  return fmt::format("{}{}Z{}", name_begins, digits, name_ends);
}

// The backups in the folder, oldest first.
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

// The only backup that is running in a folder. Locking the folder itself leaves no file behind.
class LockedFolder {
 public:
  explicit LockedFolder(const fs::path& folder) : fd_(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    if (fd_ >= 0 && ::flock(fd_, LOCK_EX | LOCK_NB) == 0) return;
    if (fd_ >= 0) ::close(fd_);
    throw std::runtime_error(fmt::format("Another backup to {} is running.", folder.string()));
  }
  LockedFolder(const LockedFolder&) = delete;
  LockedFolder& operator=(const LockedFolder&) = delete;
  ~LockedFolder() { ::close(fd_); }

  // Gives the file its name, also after a power failure.
  void rename(const fs::path& from, const fs::path& to) const {
    fs::rename(from, to);
    ::fsync(fd_);
  }

 private:
  int fd_;
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

void back_up_sqlite(const std::string& path, const fs::path& folder, BackupWriter& writer) {
  const TemporaryFile copy(folder / "copy.db.partial");
  {
    Progress progress("copying", 0, Progress::Unit::bytes);
    copy_sqlite(path, copy.path, [&](std::int64_t done, std::int64_t) { progress.add(done - progress.done()); });
  }
  check_sqlite(copy.path);
  open_installation(fmt::format("{}{}", sqlite_prefix, copy.path.string()));
  Progress progress("compressing", static_cast<std::int64_t>(fs::file_size(copy.path)), Progress::Unit::bytes);
  std::ifstream file(copy.path, std::ios::binary);
  std::string data(1 << 20, '\0');
  while (file.read(data.data(), static_cast<std::streamsize>(data.size())), file.gcount() > 0) {
    writer.write(std::string_view(data).substr(0, static_cast<std::size_t>(file.gcount())));
    progress.add(file.gcount());
  }
}

struct PostgresServer {
  std::int64_t major = 0;
  std::string schema;
};

PostgresServer server_of(const std::string& url) {
  PostgresServer server;
  const Sql sql("SELECT CAST(current_setting('server_version_num') AS bigint) / 10000, CAST(current_schema() AS text)");
  open_read_only(url)->read([&](Tx& tx) {
    tx.run({&sql, {}}, [&](const Row& row) { server = {row.integer(0), std::string(row.text(1))}; });
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

void back_up_postgres(const std::string& url, const PostgresServer& server, BackupWriter& writer) {
  require_version("pg_dump", server.major);
  // The file is compressed by us, together with that of SQLite.
  ChildProcess dump(
      {"pg_dump", "--format=custom", "--compress=0", "--no-owner", "--no-privileges", "--schema=" + server.schema},
      postgres_environment(url), ChildProcess::Pipe::output);
  Progress progress("dumping", 0, Progress::Unit::bytes);
  for (std::string_view part = dump.read(); !part.empty(); part = dump.read()) {
    writer.write(part);
    progress.add(std::ssize(part));
  }
  dump.finish();
}

// Reads the whole file again, as far as that is possible: only the owner of the secret key can read an encrypted one.
void verify(const fs::path& file, bool encrypted) {
  if (encrypted) return;
  BackupReader reader(file, "");
  while (!reader.read().empty()) continue;
}

// Nothing if there is no such file.
std::optional<Instant> written_at(const fs::path& file) {
  std::error_code failed;
  const auto written = fs::last_write_time(file, failed);
  if (failed) return std::nullopt;
  const auto age = std::chrono::duration_cast<std::chrono::milliseconds>(fs::file_time_type::clock::now() - written);
  return local_now() - age;
}

}  // namespace

std::optional<Instant> newest_backup(const fs::path& folder) {
  const std::vector<fs::path> backups = backups_in(folder);
  return backups.empty() ? std::nullopt : written_at(backups.back());
}

std::vector<StoredBackup> list_backups(const fs::path& folder) {
  constexpr std::size_t listed_max = 100;
  std::vector<StoredBackup> list;
  const std::vector<fs::path> backups = backups_in(folder);
  for (auto path = backups.rbegin(); path != backups.rend() && list.size() < listed_max; ++path) {
    std::error_code failed;
    const auto bytes = fs::file_size(*path, failed);
    const auto written = written_at(*path);
    if (failed || !written) continue;  // it was deleted meanwhile
    StoredBackup file{.name = path->filename().string(),
                      .created_at = *written,
                      .bytes = static_cast<std::int64_t>(bytes),
                      .engine = {},
                      .version = {}};
    try {
      const BackupHeader header = read_backup_header(*path);
      file.created_at = header.created_at;
      file.engine = header.engine;
      file.version = header.version;
      file.encrypted = header.sealed_key.has_value();
      file.verified = !file.encrypted;  // a file gets its name after it was verified
    } catch (const std::exception&) {   // a damaged file; it is listed without these values
    }
    list.push_back(std::move(file));
  }
  return list;
}

fs::path back_up(const Config& config, const fs::path& folder, std::ostream& out) {
  const std::string& url = config.database_url;
  const auto database = open_installation(url);  // first: nothing is created when there is no database
  const bool sqlite = database->name() == "sqlite";
  make_private_folders(folder);
  const LockedFolder lock(folder);
  const fs::path file = folder / name_at(now());
  if (fs::exists(file)) throw std::runtime_error(fmt::format("{} exists already.", file.string()));
  const TemporaryFile partial(folder / "guildhall.backup.partial");
  const PostgresServer server = sqlite ? PostgresServer{} : server_of(url);
  {
    BackupWriter writer(
        partial.path,
        {.engine = database->name(), .version = GUILDHALL_VERSION, .schema = server.schema, .created_at = now()},
        config.backup_public_key);
    sqlite ? back_up_sqlite(url.substr(sqlite_prefix.size()), folder, writer) : back_up_postgres(url, server, writer);
    writer.finish();
  }
  verify(partial.path, !config.backup_public_key.empty());
  lock.rename(partial.path, file);
  out << fmt::format("{}: {:.1f} MiB{}\n", file.string(), static_cast<double>(fs::file_size(file)) / (1 << 20),
                     config.backup_public_key.empty() ? "" : ", encrypted");
  std::vector<fs::path> backups = backups_in(folder);
  for (std::int64_t i = 0; i < std::ssize(backups) - config.backup_keep; ++i) {
    fs::remove(backups[static_cast<std::size_t>(i)]);
    out << fmt::format("{}: deleted\n", backups[static_cast<std::size_t>(i)].string());
  }
  if (!config.media_dir.empty()) out << "Pictures in MEDIA_DIR are not part of the backup: copy that folder as well.\n";
  return file;
}

}  // namespace guildhall
