#pragma once

#include <string>

#include "cache/memory/memory_store.h"

namespace guildhall {

// Writes all live entries with the moment they expire, readable by the owner only, and replaces the file in
// one step. Throws std::system_error when that is not possible.
void save_to_file(const MemoryStore& store, const std::string& path);

// Loads what has not expired, then deletes the file: after a crash an old copy would bring back sessions that
// had been ended since. A file that is damaged or not ours is left alone, with a warning.
void load_from_file(MemoryStore& store, const std::string& path);

}  // namespace guildhall
