#include "storage/sqlite/faulty_disk.h"

#include <memory>

namespace guildhall::test {
namespace {

// The file object that SQLite uses. The system's own file object follows it in the same allocation.
struct File : sqlite3_file {
  FaultyDisk* disk;
  bool is_log;
  sqlite3_file* real() { return reinterpret_cast<sqlite3_file*>(this + 1); }
};

File* self(sqlite3_file* file) {
  return static_cast<File*>(file);
}

sqlite3_file* real(sqlite3_file* file) {
  return self(file)->real();
}

int write(sqlite3_file* file, const void* data, int size, sqlite3_int64 at) {
  int result = self(file)->is_log ? self(file)->disk->write_result.load() : SQLITE_OK;
  return result != SQLITE_OK ? result : real(file)->pMethods->xWrite(real(file), data, size, at);
}

int sync(sqlite3_file* file, int flags) {
  if (self(file)->is_log) {
    self(file)->disk->before_sync();
    int result = self(file)->disk->sync_result;
    if (result != SQLITE_OK) return result;
  }
  return real(file)->pMethods->xSync(real(file), flags);
}

// Forwards a call to the system's file.
template <auto method>
struct Pass;
template <class... Args, int (*sqlite3_io_methods::*method)(sqlite3_file*, Args...)>
struct Pass<method> {
  static int on(sqlite3_file* file, Args... args) { return (real(file)->pMethods->*method)(real(file), args...); }
};
template <class... Args, void (*sqlite3_io_methods::*method)(sqlite3_file*, Args...)>
struct Pass<method> {
  static void on(sqlite3_file* file, Args... args) { (real(file)->pMethods->*method)(real(file), args...); }
};

using Io = sqlite3_io_methods;

constexpr Io methods{
    .iVersion = 2,
    .xClose = Pass<&Io::xClose>::on,
    .xRead = Pass<&Io::xRead>::on,
    .xWrite = write,
    .xTruncate = Pass<&Io::xTruncate>::on,
    .xSync = sync,
    .xFileSize = Pass<&Io::xFileSize>::on,
    .xLock = Pass<&Io::xLock>::on,
    .xUnlock = Pass<&Io::xUnlock>::on,
    .xCheckReservedLock = Pass<&Io::xCheckReservedLock>::on,
    .xFileControl = Pass<&Io::xFileControl>::on,
    .xSectorSize = Pass<&Io::xSectorSize>::on,
    .xDeviceCharacteristics = Pass<&Io::xDeviceCharacteristics>::on,
    .xShmMap = Pass<&Io::xShmMap>::on,
    .xShmLock = Pass<&Io::xShmLock>::on,
    .xShmBarrier = Pass<&Io::xShmBarrier>::on,
    .xShmUnmap = Pass<&Io::xShmUnmap>::on,
    .xFetch = nullptr,
    .xUnfetch = nullptr,
};

sqlite3_vfs* system_vfs() {
  static sqlite3_vfs* found = sqlite3_vfs_find(nullptr);
  return found;
}

int open(sqlite3_vfs* vfs, const char* name, sqlite3_file* file, int flags, int* out_flags) {
  File* opened = self(file);
  opened->disk = static_cast<FaultyDisk*>(vfs->pAppData);
  opened->is_log = (flags & SQLITE_OPEN_WAL) != 0;
  int result = system_vfs()->xOpen(system_vfs(), name, opened->real(), flags, out_flags);
  opened->pMethods = result == SQLITE_OK ? &methods : nullptr;
  return result;
}

}  // namespace

FaultyDisk::FaultyDisk() : vfs_(*system_vfs()) {
  vfs_.zName = "faulty";
  vfs_.szOsFile += static_cast<int>(sizeof(File));
  vfs_.xOpen = open;
  vfs_.pAppData = this;
  sqlite3_vfs_register(&vfs_, 1);
}

FaultyDisk::~FaultyDisk() {
  sqlite3_vfs_unregister(&vfs_);
  sqlite3_vfs_register(system_vfs(), 1);
}

void FaultyDisk::set_before_sync(std::function<void()> hook) {
  const std::lock_guard lock(mutex_);
  before_sync_ = std::move(hook);
}

void FaultyDisk::before_sync() {
  const std::lock_guard lock(mutex_);
  before_sync_();
}

}  // namespace guildhall::test
