#pragma once

#include <sqlite3.h>
#include <string_view>

namespace guildhall {

// Throws what the last call on this connection failed with: ConstraintViolation; Failure unavailable when the
// disk is full, broken or locked; std::runtime_error, logged, for anything else. `statement` is for the log.
//
// Does not return at all after a failed fsync: the kernel may have dropped the pages that it could not write,
// so that the next fsync would succeed without them. The process exits, and the next start recovers from what
// is on disk.
[[noreturn]] void throw_sqlite_error(sqlite3* db, std::string_view statement);

// True when there is no space left: for a page, or for the index of the write-ahead log.
bool is_disk_full(int code);

// As above, for a result code of a call that leaves no statement behind.
void check_sync(int code);

}  // namespace guildhall
