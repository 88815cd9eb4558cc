#include "storage/sqlite/errors.h"

#include <cstdlib>
#include <string>

#include "base/failure.h"
#include "base/log.h"
#include "storage/database.h"
#include "storage/sqlite/constraint_name.h"

namespace guildhall {
namespace {

constexpr int io_error_exit_code = 74;  // EX_IOERR of sysexits.h

bool is_trouble_of_the_machine(int primary) {
  switch (primary) {
    case SQLITE_FULL:
    case SQLITE_IOERR:
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
    case SQLITE_NOMEM:
    case SQLITE_CANTOPEN:
    case SQLITE_PROTOCOL:
      return true;
    default:
      return false;
  }
}

}  // namespace

bool is_disk_full(int code) {
  return code == SQLITE_FULL || code == SQLITE_IOERR_SHMSIZE;
}

void check_sync(int code) {
  if (code != SQLITE_IOERR_FSYNC && code != SQLITE_IOERR_DIR_FSYNC) return;
  log::error("The disk failed to sync the database: the process ends here and recovers at its next start.");
  // Runs no destructors, because none of them may write another page.
  std::_Exit(io_error_exit_code);
}

void throw_sqlite_error(sqlite3* db, std::string_view statement) {
  int code = sqlite3_extended_errcode(db);
  check_sync(code);
  std::string message = sqlite3_errmsg(db);
  switch (code) {
    case SQLITE_CONSTRAINT_UNIQUE:
    case SQLITE_CONSTRAINT_PRIMARYKEY:
    case SQLITE_CONSTRAINT_ROWID:
    case SQLITE_CONSTRAINT_CHECK:
    case SQLITE_CONSTRAINT_NOTNULL:
    case SQLITE_CONSTRAINT_FOREIGNKEY:
      throw ConstraintViolation(constraint_name(db, code, message));
    default:
      break;
  }
  if (is_trouble_of_the_machine(code & 0xff)) {
    log::error("SQLite could not do its work", {{"code", code}, {"error", message}});
    throw unavailable("The database could not do this now; nothing was changed.");
  }
  log::error("SQLite refused a statement", {{"code", code}, {"error", message}, {"statement", statement}});
  throw std::runtime_error(fmt::format("SQLite error {}: {}", code, message));
}

}  // namespace guildhall
