#include "support/migrated_database.h"

#include <fcntl.h>
#include <fstream>
#include <sys/file.h>

#include "storage/migrations.h"

namespace guildhall::test {
namespace {

// The folder of the run, which script/with-services deletes afterwards.
std::filesystem::path folder_of_run() {
  const char* folder = std::getenv("TEST_SERVICES_DIR");
  if (folder == nullptr) {
    throw std::runtime_error("TEST_SERVICES_DIR is not set: run the tests with script/with-services.");
  }
  return folder;
}

// Locks a file of the run against all other tests, in this process and in others. Returns -1 if one of them has it and
// `operation` says LOCK_NB. The lock ends with its descriptor, at the latest with the process.
int lock_in_run(const std::string& name, int operation) {
  const int descriptor = ::open((folder_of_run() / name).c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0600);
  if (descriptor < 0) throw std::runtime_error("The lock " + name + " cannot be opened.");
  if (::flock(descriptor, operation) == 0) return descriptor;
  ::close(descriptor);
  return -1;
}

void create_tables(const std::string& url) {
  const auto storage = open_storage({.url = url});
  migrate(*storage);
}

// A file of SQLite with all tables. The first test of the run makes it.
std::filesystem::path model_file() {
  const std::filesystem::path file = folder_of_run() / "model.db", draft = folder_of_run() / "draft.db";
  if (std::filesystem::exists(file)) return file;
  const int lock = lock_in_run("model.lock", LOCK_EX);
  if (!std::filesystem::exists(file)) {
    create_tables("sqlite:" + draft.string());
    std::filesystem::rename(draft, file);
  }
  ::close(lock);
  return file;
}

const std::string delete_all_records = R"sql(
  SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid();
  DO $$
  DECLARE
    name text;
    filled boolean;
  BEGIN
    FOR name IN SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace LOOP
      EXECUTE format('SELECT EXISTS (SELECT FROM %I)', name) INTO filled;
      IF filled AND name <> 'schema_migrations' THEN EXECUTE format('TRUNCATE %I CASCADE', name); END IF;
    END LOOP;
  END $$
)sql";

// A checksum of the tables, indexes and columns, and of whether the server has statistics of them, which change plans.
const std::string shape_of_tables =
    "SELECT md5(string_agg(concat(relname, relkind, attname, atttypid, relkind = 'r' AND reltuples >= 0,"
    " starelid IS NOT NULL), ',' ORDER BY relname, attname))"
    " FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid"
    " LEFT JOIN pg_statistic ON starelid = pg_class.oid AND staattnum = attnum"
    " WHERE relnamespace = 'public'::regnamespace";

// Prepares a database of PostgreSQL that no running test uses. A test may have changed its tables or collected
// statistics: then it is made again. The file keeps the checksum of its tables.
std::string prepared(const std::string& database, const std::filesystem::path& file) {
  const std::string server = postgres_url(), url = server.substr(0, server.rfind('/') + 1) + database;
  std::string shape;
  if (std::ifstream(file) >> shape) {
    execute_on(url, delete_all_records);
    if (execute_on(url, shape_of_tables) == shape) return url;
  }
  execute_on(server, "DROP DATABASE IF EXISTS " + database + " WITH (FORCE)");
  execute_on(server, "CREATE DATABASE " + database);
  create_tables(url);
  std::ofstream(file) << execute_on(url, shape_of_tables);
  return url;
}

}  // namespace

MigratedDatabase::MigratedDatabase(Engine engine) {
  if (engine == Engine::sqlite) {
    const std::filesystem::path file = folder_.path / "test.db";
    std::filesystem::copy_file(model_file(), file);
    url = "sqlite:" + file.string();
    return;
  }
  for (int number = 1; lock_ < 0; ++number) {
    const std::string name = "guildhall_" + std::to_string(number);
    lock_ = lock_in_run(name, LOCK_EX | LOCK_NB);
    if (lock_ >= 0) url = prepared(name, folder_of_run() / name);
  }
}

MigratedDatabase::~MigratedDatabase() {
  if (lock_ >= 0) ::close(lock_);
}

}  // namespace guildhall::test
