#include <sys/stat.h>
#include <sys/wait.h>

#include "support/engines.h"

namespace guildhall {
namespace {

namespace fs = std::filesystem;

std::string refusal(const std::string& url) {
  try {
    open_storage({.url = url});
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "(none)";
}

class SqliteFiles : public ::testing::Test {
 protected:
  test::TemporaryFolder folder;
  std::string path = (folder.path / "deep" / "er" / "a.db").string();
  std::string url = "sqlite:" + path;
};

fs::perms mode(const fs::path& path) {
  return fs::status(path).permissions();
}

TEST_F(SqliteFiles, are_readable_by_their_owner_alone_whatever_the_umask) {
  mode_t before = ::umask(0);
  auto storage = open_storage({.url = url});
  storage->check();
  ::umask(before);
  EXPECT_EQ(mode(fs::path(path).parent_path()), fs::perms::owner_all);
  EXPECT_EQ(mode(fs::path(path).parent_path().parent_path()), fs::perms::owner_all);
  for (const char* suffix : {"", ".lock", "-wal", "-shm"}) {
    EXPECT_EQ(mode(path + suffix), fs::perms::owner_read | fs::perms::owner_write) << suffix;
  }
}

// A commit writes whole pages, and an order changes two dozen of them.
TEST_F(SqliteFiles, have_small_pages) {
  const Sql page_size{"PRAGMA page_size"};
  auto storage = open_storage({.url = url});
  std::int64_t bytes = 0;
  storage->read_now([&](Tx& tx) { tx.run({&page_size, {}}, [&](const Row& row) { bytes = row.integer(0); }); });
  EXPECT_EQ(bytes, 2048);
}

TEST_F(SqliteFiles, are_refused_to_a_second_opener_in_this_process) {
  auto storage = open_storage({.url = url});
  std::string sentence = refusal(url);
  EXPECT_NE(sentence.find(path), std::string::npos) << sentence;
  EXPECT_NE(sentence.find("in use"), std::string::npos) << sentence;
  EXPECT_NO_THROW(storage->check());
}

TEST_F(SqliteFiles, are_refused_under_another_name) {
  auto storage = open_storage({.url = url});
  fs::create_symlink(path, folder.path / "link.db");
  EXPECT_NE(refusal("sqlite:" + (folder.path / "link.db").string()), "(none)");
}

TEST_F(SqliteFiles, are_refused_to_a_second_process_until_the_first_ends) {
  auto storage = open_storage({.url = url});
  auto opens_in_another_process = [&] {
    pid_t child = ::fork();
    // _exit, because the child must not run the destructors of objects inherited from its parent.
    if (child == 0) ::_exit(refusal(url) == "(none)" ? 0 : 1);
    int status = -1;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
  };
  EXPECT_FALSE(opens_in_another_process());
  storage.reset();
  EXPECT_TRUE(opens_in_another_process());
}

TEST_F(SqliteFiles, leave_no_log_behind_when_closed) {
  open_storage({.url = url})->check();
  EXPECT_FALSE(fs::exists(path + "-wal"));
}

TEST(StorageUrl, is_refused_with_a_sentence_when_wrong) {
  EXPECT_NE(refusal("mysql://secret@host").find("DATABASE_URL"), std::string::npos);
  EXPECT_EQ(refusal("mysql://secret@host").find("secret"), std::string::npos);
  EXPECT_NE(refusal("sqlite:").find("DATABASE_URL"), std::string::npos);
  EXPECT_NE(refusal("sqlite::memory:").find("DATABASE_URL"), std::string::npos);
  EXPECT_NE(refusal("sqlite:/proc/nowhere/a.db").find("/proc/nowhere"), std::string::npos);
  EXPECT_NE(refusal("postgresql://127.0.0.1:1/x").find("cannot be reached"), std::string::npos);
}

}  // namespace
}  // namespace guildhall
