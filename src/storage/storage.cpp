#include "storage/storage.h"

#include <stdexcept>

#include "storage/postgres/engine.h"
#include "storage/sqlite/engine.h"

namespace guildhall {

namespace {

// Calls the function of the engine that the URL names.
template <class Engine>
Engine with_engine(const std::string& url, FunctionRef<Engine(const std::string& path)> sqlite,
                   FunctionRef<Engine()> postgres) {
  if (url.starts_with(sqlite_prefix)) return sqlite(url.substr(sqlite_prefix.size()));
  if (url.starts_with("postgresql://") || url.starts_with("postgres://")) return postgres();
  // The URL may contain a password, so it is not part of the message.
  throw std::runtime_error("The address of a database (DATABASE_URL) must be sqlite:<path> or postgresql://…");
}

}  // namespace

std::unique_ptr<Storage> open_storage(const StorageOptions& options) {
  return with_engine<std::unique_ptr<Storage>>(
      options.url, [&](const std::string& path) { return open_sqlite(path, options); },
      [&] { return open_postgres(options); });
}

std::unique_ptr<ReadOnlyDatabase> open_read_only(const std::string& url) {
  return with_engine<std::unique_ptr<ReadOnlyDatabase>>(
      url, [](const std::string& path) { return open_sqlite_read_only(path); },
      [&] { return open_postgres_read_only(url); });
}

}  // namespace guildhall
