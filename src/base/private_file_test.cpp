#include "base/private_file.h"

#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <sys/stat.h>
#include <unistd.h>

namespace guildhall {
namespace {

namespace fs = std::filesystem;

mode_t mode_of(const fs::path& path) {
  struct stat found {};
  ::stat(path.c_str(), &found);
  return found.st_mode & 0777;
}

// With the most generous umask, so that nothing but the code itself keeps others out.
class PrivateFiles : public ::testing::Test {
 protected:
  void TearDown() override {
    ::umask(umask_);
    fs::remove_all(folder_);
  }

  const mode_t umask_ = ::umask(0);
  const fs::path folder_ = fs::temp_directory_path() / ("guildhall_private_" + std::to_string(::getpid()));
};

TEST_F(PrivateFiles, are_readable_by_their_owner_alone) {
  make_private_folders(folder_ / "a" / "b");
  EXPECT_EQ(mode_of(folder_), 0700u);
  EXPECT_EQ(mode_of(folder_ / "a" / "b"), 0700u);
  PrivateFile file(folder_ / "a" / "secret");
  EXPECT_EQ(mode_of(folder_ / "a" / "secret"), 0600u) << "before anything is written";
  file.write(std::string(100'000, 'x'));
  file.write("end");
  file.finish();
  EXPECT_EQ(fs::file_size(folder_ / "a" / "secret"), 100'003u);
}

TEST_F(PrivateFiles, overwrite_nothing) {
  make_private_folders(folder_);
  std::ofstream(folder_ / "old") << "old";
  fs::create_symlink(folder_ / "elsewhere", folder_ / "link");
  EXPECT_THROW(PrivateFile(folder_ / "old"), std::runtime_error);
  EXPECT_THROW(PrivateFile(folder_ / "link"), std::runtime_error);
  EXPECT_FALSE(fs::exists(folder_ / "elsewhere"));
  EXPECT_THROW(make_private_folders(folder_ / "old" / "below"), std::runtime_error);
}

}  // namespace
}  // namespace guildhall
