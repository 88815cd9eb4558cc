#include "support/server_process.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <fstream>
#include <signal.h>
#include <spawn.h>
#include <sstream>
#include <stdexcept>
#include <sys/socket.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "support/eventually.h"
#include "support/http_client.h"
#include "support/test_server.h"

namespace guildhall::test {

// The port is left with a closed connection (TIME_WAIT): for a minute, only a server that asks for this very port gets
// it, and not another test that asks for any port.
std::uint16_t free_port() {
  const auto open = [] { return ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0); };
  const int listener = open(), client = open(), one = 1;
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof(address);
  auto* const where = reinterpret_cast<sockaddr*>(&address);
  ::setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
  const bool made = ::bind(listener, where, length) == 0 && ::listen(listener, 1) == 0 &&
                    ::getsockname(listener, where, &length) == 0 && ::connect(client, where, length) == 0;
  if (!made) throw std::runtime_error("no port is free");
  ::close(::accept(listener, nullptr, nullptr));  // the side that closes first keeps the port
  ::close(client);
  ::close(listener);
  return ntohs(address.sin_port);
}

ServerProcess::Variables server_variables(Engine engine, const std::string& database_url, const std::string& data_dir) {
  return {{"DATA_DIR", data_dir},
          {"DATABASE_URL", database_url},
          {"CACHE_URL", engine == Engine::sqlite ? "memory:" : redis_url()},
          {"CACHE_TIMEOUT_MS", "5000"},
          {"METRICS_ADDR", "off"},
          {"SESSION_SIGNING_SECRET", "a secret that only the tests know and that is long enough"},
          {"LOCAL_AUTH_ENABLED", "true"},
          {"LOCAL_ADMIN_PASSWORD", std::string(admin_password)},
          {"RATE_LIMIT_DISABLED", "true"}};
}

ServerProcess::ServerProcess(Variables variables, std::vector<std::string> arguments, std::string binary)
    : variables_(std::move(variables)),
      arguments_(std::move(arguments)),
      binary_(binary.empty() ? GUILDHALL_BINARY : std::move(binary)) {
  if (!variables_.contains("LISTEN_ADDR")) {
    port_ = free_port();
    variables_["LISTEN_ADDR"] = "127.0.0.1:" + std::to_string(port_);
  } else {
    port_ = static_cast<std::uint16_t>(
        std::stoi(variables_["LISTEN_ADDR"].substr(variables_["LISTEN_ADDR"].rfind(':') + 1)));
  }
  variables_.try_emplace("PATH", "/usr/bin:/bin");
  start();
}

std::string ServerProcess::guildhall_binary() {
  return GUILDHALL_BINARY;
}

ServerProcess::~ServerProcess() {
  if (!has_exited()) kill_hard();
}

void ServerProcess::start() {
  std::vector<std::string> environment;
  for (const auto& [name, value] : variables_) environment.push_back(name + "=" + value);
  std::vector<char*> argv{binary_.data()}, envp;
  for (std::string& argument : arguments_) argv.push_back(argument.data());
  for (std::string& variable : environment) envp.push_back(variable.data());
  argv.push_back(nullptr);
  envp.push_back(nullptr);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  const std::string log = (folder_.path / "output").string();
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
  posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  const int failed = ::posix_spawn(&pid_, binary_.c_str(), &actions, nullptr, argv.data(), envp.data());
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) throw std::runtime_error("cannot start " + binary_);
  exit_code_ = -1;
}

bool ServerProcess::has_exited() {
  if (exit_code_ >= 0) return true;
  int status = 0;
  if (::waitpid(pid_, &status, WNOHANG) != pid_) return false;
  exit_code_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return true;
}

void ServerProcess::wait_until_ready() {
  bool ready = false;
  eventually([&] {
    if (has_exited()) return true;
    try {
      ready = HttpClient(port_).get("/readyz").status == 200;
    } catch (const std::runtime_error&) {
      // The server does not listen yet.
    }
    return ready;
  });
  if (!ready) throw std::runtime_error("the server did not become ready:\n" + output());
}

void ServerProcess::signal(int number) {
  if (!has_exited()) ::kill(pid_, number);
}

void ServerProcess::kill_hard() {
  signal(SIGKILL);
  wait_for_exit();
}

int ServerProcess::wait_for_exit() {
  // Without a time limit: a command may take as long as it needs.
  while (!has_exited()) std::this_thread::sleep_for(std::chrono::milliseconds(2));
  return exit_code_;
}

std::string ServerProcess::output() const {
  std::ostringstream text;
  text << std::ifstream(folder_.path / "output").rdbuf();
  return text.str();
}

}  // namespace guildhall::test
