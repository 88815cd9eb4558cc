#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <sys/types.h>
#include <vector>

#include "support/engines.h"

namespace guildhall::test {

// Runs the real binary as a process, for tests that need one: kill -9, signals, exit codes.
class ServerProcess {
 public:
  using Variables = std::map<std::string, std::string>;

  // Starts `guildhall <arguments>` with only these variables (and a PATH). LISTEN_ADDR is a free port of 127.0.0.1
  // unless it is given. `binary` names another program, for example a control.
  explicit ServerProcess(Variables variables, std::vector<std::string> arguments = {"serve"}, std::string binary = "");
  static std::string guildhall_binary();
  ~ServerProcess();  // kills the process if it still runs
  ServerProcess(const ServerProcess&) = delete;
  ServerProcess& operator=(const ServerProcess&) = delete;

  // Waits until /readyz returns 200. Throws with the output of the process when it exits instead, or after 30 seconds.
  void wait_until_ready();

  void kill_hard();  // sends SIGKILL and waits until the process has ended
  void signal(int number);
  int wait_for_exit();  // returns the exit code; 128 + signal if it was killed

  // Starts the process again, with the same port and data.
  void start();

  std::uint16_t port() const { return port_; }
  pid_t pid() const { return pid_; }
  std::string output() const;  // both streams, since the first start

 private:
  bool has_exited();

  Variables variables_;
  std::vector<std::string> arguments_;
  std::string binary_;
  std::uint16_t port_ = 0;
  TemporaryFolder folder_;
  pid_t pid_ = -1;
  int exit_code_ = -1;
};

// Returns a port that is not in use now.
std::uint16_t free_port();

// The variables for a ServerProcess on an engine pair: SQLite in the folder with the memory cache, or that PostgreSQL
// database with Redis.
ServerProcess::Variables server_variables(Engine engine, const std::string& database_url, const std::string& data_dir);

}  // namespace guildhall::test
