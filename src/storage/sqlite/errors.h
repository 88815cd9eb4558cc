#pragma once

#include <sqlite3.h>
#include <string_view>

namespace guildhall {

// Throws the error of the last call on this connection: ConstraintViolation; Failure unavailable when the
// disk is full, broken or locked; std::runtime_error, after logging it, for anything else. `statement` is for the log.
//
// After a failed fsync it ends the process: the kernel may have dropped the pages that it could not write, so that the
// next fsync would succeed without them. The next start recovers from the data on disk.
[[noreturn]] void throw_sqlite_error(sqlite3* db, std::string_view statement);

// True when there is no space left: for a page, or for the index of the write-ahead log.
bool is_disk_full(int code);

// The same for the result code of a call that prepares no statement.
void check_sync(int code);

}  // namespace guildhall
