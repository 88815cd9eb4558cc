#include "storage/sqlite/engine.h"

#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

#include "base/ids.h"
#include "base/private_file.h"
#include "storage/loop_inbox.h"
#include "storage/sqlite/disk_space.h"
#include "storage/sqlite/lock_file.h"
#include "storage/sqlite/loop_reader.h"
#include "storage/sqlite/readers.h"
#include "storage/sqlite/writer.h"

namespace guildhall {
namespace {

namespace fs = std::filesystem;

constexpr int reader_threads = 2;

const Sql ping_sql{"SELECT 1"};
const Sql insert_probe_sql{"INSERT INTO write_probes (id) VALUES ($1)"};
const Sql delete_probe_sql{"DELETE FROM write_probes WHERE id = $1"};

[[noreturn]] void refuse(const fs::path& path) {
  throw std::runtime_error(fmt::format("{} cannot be made or opened: {}.", path.string(), std::strerror(errno)));
}

// SQLite creates its log and index files with the mode of this file.
void make_file(const fs::path& path) {
  int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (fd < 0) refuse(path);
  ::close(fd);
}

// Called after the lock is taken: closing any descriptor of the file would release the locks that SQLite holds on it
// elsewhere in this process.
std::string prepare_file(const fs::path& path) {
  make_file(path);
  return path.string();
}

class SqliteStorage : public Storage {
 public:
  SqliteStorage(const fs::path& path, const StorageOptions& options)
      : lock_(path.string()),
        path_(prepare_file(path)),
        writer_(path_, options.queued_writes_max, options.gathered_log, metrics_or_unread(options.metrics)),
        readers_(path_, reader_threads, options.queued_writes_max) {
    if (options.metrics == nullptr) return;
    show_queue(*options.metrics, "write", writer_.queue());
    show_queue(*options.metrics, "read", readers_.queue());
  }

  std::unique_ptr<Database> open(boost::asio::io_context& loop) override;
  void write_now(FunctionRef<void(Tx&)> body) override { run_and_wait(writer_.queue(), Job::Kind::write, body); }
  void read_now(FunctionRef<void(Tx&)> body) override { run_and_wait(readers_.queue(), Job::Kind::read, body); }
  void begin_stop() override {}  // there is no server to wait for
  void check() override {
    write_now([](Tx& tx) { tx.run({&ping_sql, {}}); });
  }
  std::string name() const override { return "sqlite"; }
  bool has_written_within(std::chrono::milliseconds time) const override {
    return writer_.last_commit().is_within(time);
  }
  std::vector<std::string> warnings() const override;

 private:
  LockFile lock_;
  std::string path_;
  // Declared before the readers, so that it is closed last and removes the log.
  SqliteWriter writer_;
  SqliteReaders readers_;
};

class SqliteDatabase : public Database {
 public:
  SqliteDatabase(const std::string& path, boost::asio::io_context& loop, SqliteWriter& writer, JobQueue& reads)
      : reader_(path, loop, writer.commits()), writes_(writer.queue()), reads_(reads), inbox_(loop) {}

  Task<Probe> probe() override {
    const std::string id = make_uuid(now());
    co_await write([&](Tx& tx) {
      tx.run({&insert_probe_sql, {id}});
      tx.run({&delete_probe_sql, {id}});
    });
    co_return Probe{};
  }

 protected:
  Task<> run_query(const Query& query, RowSink sink) override {
    reader_.run(query, sink);
    co_return;
  }
  Task<> run_write(FunctionRef<void(Tx&)> body, Reads /*reads*/) override {
    return inbox_.run(writes_, Job::Kind::write, body);
  }
  Task<> run_read(FunctionRef<void(Tx&)> body) override { return inbox_.run(reads_, Job::Kind::read, body); }

 private:
  SqliteLoopReader reader_;
  JobQueue& writes_;
  JobQueue& reads_;
  LoopInbox inbox_;
};

std::vector<std::string> SqliteStorage::warnings() const {
  if (writer_.refuses_writes()) return {"The disk of the database is full: writes are refused until there is space."};
  const DiskSpace space = disk_space(path_);
  if (!space.is_low()) return {};
  return {fmt::format("The disk of the database is nearly full: {} MiB are free.", space.free / (1024 * 1024))};
}

std::unique_ptr<Database> SqliteStorage::open(boost::asio::io_context& loop) {
  return std::make_unique<SqliteDatabase>(path_, loop, writer_, readers_.queue());
}

}  // namespace

std::unique_ptr<Storage> open_sqlite(const std::string& path, const StorageOptions& options) {
  if (path.empty() || path.starts_with(":memory:")) {
    throw std::runtime_error("DATABASE_URL must name a file: sqlite:<path>.");
  }
  // Memory statistics would take a lock at every allocation, on every thread. The call has no effect after the first
  // use of SQLite in the process, which does no harm.
  [[maybe_unused]] static const int configured = sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
  // Links are resolved first, so that two names of one file use the same lock.
  fs::path file = fs::weakly_canonical(fs::absolute(path));
  make_private_folders(file.parent_path());
  return std::make_unique<SqliteStorage>(file, options);
}

}  // namespace guildhall
