// What `guildhall restore` leaves behind when it is killed.
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>
#include <signal.h>

#include "support/eventually.h"
#include "support/private_services.h"
#include "support/server_process.h"

namespace guildhall {
namespace {

namespace fs = std::filesystem;
using test::ServerProcess;

// A folder with a program named pg_restore that writes its process id and waits.
std::string folder_of_waiting_restore(const fs::path& folder, const fs::path& pid_file) {
  const fs::path program = folder / "pg_restore";
  std::ofstream(program) << "#!/bin/sh\necho $$ > " << pid_file.string() << "\nexec sleep 600\n";
  fs::permissions(program, fs::perms::owner_all);
  return folder.string();
}

TEST(Restore, takes_pg_restore_along_when_it_is_killed) {
  test::PrivateServices services;
  test::TemporaryFolder folder;
  auto variables = test::server_variables(test::Engine::postgresql, services.database_url(), folder.path.string());
  ASSERT_EQ(ServerProcess(variables, {"migrate"}).wait_for_exit(), 0);
  const fs::path backups = folder.path / "backups";
  ServerProcess backup(variables, {"backup", "--to", backups.string()});
  ASSERT_EQ(backup.wait_for_exit(), 0) << backup.output();
  services.execute("CREATE DATABASE empty");

  const std::string url = services.database_url();
  variables["DATABASE_URL"] = url.substr(0, url.rfind('/')) + "/empty";
  const fs::path pid_file = folder.path / "pid";
  variables["PATH"] = folder_of_waiting_restore(folder.path, pid_file) + ":" + std::getenv("PATH");
  ServerProcess restore(variables, {"restore", "--from", fs::directory_iterator(backups)->path().string()});
  pid_t pid = 0;
  ASSERT_TRUE(test::eventually([&] { return static_cast<bool>(std::ifstream(pid_file) >> pid); })) << restore.output();
  ASSERT_EQ(::kill(pid, 0), 0);
  restore.kill_hard();
  EXPECT_TRUE(test::eventually([&] { return ::kill(pid, 0) != 0; }));
}

}  // namespace
}  // namespace guildhall
