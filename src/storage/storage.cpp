#include "storage/storage.h"

#include <stdexcept>

#include "storage/postgres/engine.h"
#include "storage/sqlite/engine.h"

namespace guildhall {

std::unique_ptr<Storage> open_storage(const StorageOptions& options) {
  constexpr std::string_view sqlite = "sqlite:";
  if (options.url.starts_with(sqlite)) return open_sqlite(options.url.substr(sqlite.size()), options);
  if (options.url.starts_with("postgresql://") || options.url.starts_with("postgres://")) {
    return open_postgres(options);
  }
  // The URL itself may hold a password, so it is not repeated.
  throw std::runtime_error("DATABASE_URL must be sqlite:<path> or postgresql://…");
}

}  // namespace guildhall
