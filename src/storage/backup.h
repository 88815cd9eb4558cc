#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

#include "base/function_ref.h"

// The parts of a backup that only an engine can do.
namespace guildhall {

// Copies one snapshot of a SQLite database into a new file that only its owner can read, with or without a running
// server, whose writes do not wait. `progress` receives the bytes that are copied and those of the whole file; it may
// throw to end the copy. Throws std::runtime_error with a sentence for the operator.
void copy_sqlite(const std::string& path, const std::filesystem::path& target,
                 FunctionRef<void(std::int64_t done, std::int64_t total)> progress);

// Reads every page of a SQLite file and checks its structure. Throws std::runtime_error with what is wrong.
void check_sqlite(const std::filesystem::path& file);

// The environment variables that make PostgreSQL's own programs connect to the database of the URL: PGHOST, PGPASSWORD
// and so on. Arguments of a process can be read by every user of the machine, its environment cannot.
std::map<std::string, std::string> postgres_environment(const std::string& url);

}  // namespace guildhall
