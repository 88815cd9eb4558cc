#include "storage/sqlite/gathered_log.h"

#include <algorithm>
#include <fmt/format.h>
#include <new>

namespace guildhall {
namespace {

constexpr std::size_t gathered_max = 1024 * 1024;
constexpr std::size_t written_at_once_max = 64 * 1024;  // SQLite's own VFS writes at most 128 KiB at once

// The file object that SQLite uses. The system's own file object follows it in the same allocation.
struct LogFile : sqlite3_file {
  GatheredLog::Pages* pages;

  sqlite3_file* real() { return reinterpret_cast<sqlite3_file*>(this + 1); }

  // Writes the buffered pages. Those that cannot be written stay in the buffer, and the next operation tries again
  // first, because SQLite assumes that they are in the log.
  int flush() {
    const std::string& bytes = pages->bytes;
    for (std::size_t done = 0; done < bytes.size(); done += written_at_once_max) {
      const std::size_t size = std::min(bytes.size() - done, written_at_once_max);
      const int result = real()->pMethods->xWrite(real(), bytes.data() + done, static_cast<int>(size),
                                                  pages->at + static_cast<sqlite3_int64>(done));
      if (result != SQLITE_OK) return result;
    }
    pages->bytes.clear();
    return SQLITE_OK;
  }
};

LogFile& log_of(sqlite3_file* file) {
  return *static_cast<LogFile*>(file);
}

int write(sqlite3_file* file, const void* data, int size, sqlite3_int64 at) {
  LogFile& log = log_of(file);
  GatheredLog::Pages& pages = *log.pages;
  if (at != pages.end() || pages.bytes.size() >= gathered_max) {
    const int result = log.flush();
    if (result != SQLITE_OK) return result;
    pages.at = at;
  }
  try {
    pages.bytes.append(static_cast<const char*>(data), static_cast<std::size_t>(size));
  } catch (const std::bad_alloc&) {
    return SQLITE_IOERR_NOMEM;
  }
  return SQLITE_OK;
}

int read(sqlite3_file* file, void* data, int size, sqlite3_int64 at) {
  LogFile& log = log_of(file);
  if (at < log.pages->end() && at + size > log.pages->at) {
    const int result = log.flush();
    if (result != SQLITE_OK) return result;
  }
  return log.real()->pMethods->xRead(log.real(), data, size, at);
}

// Pages that were not synced belong to no commit, so they are dropped.
int close(sqlite3_file* file) {
  log_of(file).pages->bytes.clear();
  return log_of(file).real()->pMethods->xClose(log_of(file).real());
}

// Writes the buffered pages and forwards the call to the system's file.
template <auto method>
struct AfterFlush;
template <class... Args, int (*sqlite3_io_methods::*method)(sqlite3_file*, Args...)>
struct AfterFlush<method> {
  static int call(sqlite3_file* file, Args... args) {
    LogFile& log = log_of(file);
    const int result = log.flush();
    return result != SQLITE_OK ? result : (log.real()->pMethods->*method)(log.real(), args...);
  }
};

// These calls are forwarded to the system's file without writing the buffered pages.
int file_control(sqlite3_file* file, int operation, void* argument) {
  return log_of(file).real()->pMethods->xFileControl(log_of(file).real(), operation, argument);
}
int sector_size(sqlite3_file* file) {
  return log_of(file).real()->pMethods->xSectorSize(log_of(file).real());
}
int device_characteristics(sqlite3_file* file) {
  return log_of(file).real()->pMethods->xDeviceCharacteristics(log_of(file).real());
}

using Io = sqlite3_io_methods;

// SQLite locks and maps only the database file, never the log.
constexpr Io methods{.iVersion = 1,
                     .xClose = close,
                     .xRead = read,
                     .xWrite = write,
                     .xTruncate = AfterFlush<&Io::xTruncate>::call,
                     .xSync = AfterFlush<&Io::xSync>::call,
                     .xFileSize = AfterFlush<&Io::xFileSize>::call,
                     .xLock = nullptr,
                     .xUnlock = nullptr,
                     .xCheckReservedLock = nullptr,
                     .xFileControl = file_control,
                     .xSectorSize = sector_size,
                     .xDeviceCharacteristics = device_characteristics,
                     .xShmMap = nullptr,
                     .xShmLock = nullptr,
                     .xShmBarrier = nullptr,
                     .xShmUnmap = nullptr,
                     .xFetch = nullptr,
                     .xUnfetch = nullptr};

int open(sqlite3_vfs* vfs, const char* name, sqlite3_file* file, int flags, int* out_flags) {
  auto* pages = static_cast<GatheredLog::Pages*>(vfs->pAppData);
  sqlite3_vfs* system = pages->system;
  if ((flags & SQLITE_OPEN_WAL) == 0) return system->xOpen(system, name, file, flags, out_flags);
  auto* log = new (file) LogFile{};
  log->pages = pages;
  const int result = system->xOpen(system, name, log->real(), flags, out_flags);
  log->pMethods = result == SQLITE_OK ? &methods : nullptr;
  return result;
}

}  // namespace

GatheredLog::GatheredLog()
    : name_(fmt::format("gathered-log-{}", static_cast<const void*>(this))),
      pages_{.system = sqlite3_vfs_find(nullptr), .bytes = {}},
      vfs_(*pages_.system) {
  vfs_.zName = name_.c_str();
  vfs_.szOsFile += static_cast<int>(sizeof(LogFile));
  vfs_.xOpen = open;
  vfs_.pAppData = &pages_;
  sqlite3_vfs_register(&vfs_, 0);
}

GatheredLog::~GatheredLog() {
  sqlite3_vfs_unregister(&vfs_);
}

}  // namespace guildhall
