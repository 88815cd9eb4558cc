#pragma once

#include <gtest/gtest.h>
#include <string>
#include <sys/mount.h>

#include "support/engines.h"

namespace guildhall::test {

// A file system of a few MiB. It needs the right to mount; tests are skipped without it.
class SmallDisk {
 public:
  explicit SmallDisk(int mebibytes)
      : mounted_(::mount("tmpfs", folder_.path.c_str(), "tmpfs", 0,
                         ("size=" + std::to_string(mebibytes) + "m").c_str()) == 0) {}
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;
  ~SmallDisk() {
    if (mounted_) ::umount2(folder_.path.c_str(), MNT_DETACH);
  }

  bool is_mounted() const { return mounted_; }
  const std::filesystem::path& path() const { return folder_.path; }

 private:
  TemporaryFolder folder_;
  bool mounted_;
};

}  // namespace guildhall::test
