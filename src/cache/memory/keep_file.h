#pragma once

#include <string>

#include "cache/memory/memory_store.h"

namespace guildhall {

// Writes all entries that have not expired, with the time at which they expire, and replaces the file in one step. The
// file is readable by its owner only. Throws std::system_error when it cannot be written.
void save_to_file(const MemoryStore& store, const std::string& path);

// Loads the entries that have not expired, then deletes the file: after a crash, an old copy would restore sessions
// that had been ended since. A file that is damaged or has another format is not changed, and a warning is logged.
void load_from_file(MemoryStore& store, const std::string& path);

}  // namespace guildhall
