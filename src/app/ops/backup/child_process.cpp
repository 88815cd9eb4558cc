#include "app/ops/backup/child_process.h"

#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>

namespace guildhall {

ChildProcess::ChildProcess(std::vector<std::string> arguments, std::map<std::string, std::string> environment,
                           Pipe pipe)
    : name_(arguments.front()) {
  ::signal(SIGPIPE, SIG_IGN);  // a program that ends early is noticed when it is written to
  if (const char* path = std::getenv("PATH")) environment.emplace("PATH", path);
  std::vector<std::string> variables;
  for (const auto& [name, value] : environment) variables.push_back(name + "=" + value);
  std::vector<char*> argv, envp;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  for (std::string& variable : variables) envp.push_back(variable.data());
  argv.push_back(nullptr);
  envp.push_back(nullptr);

  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("There are no descriptors left for a pipe.");
  const bool reads = pipe == Pipe::output;
  pipe_ = reads ? ends[0] : ends[1];
  const int theirs = reads ? ends[1] : ends[0];
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, theirs, reads ? STDOUT_FILENO : STDIN_FILENO);
  // The server blocks the signals that end it.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  const int failed = ::posix_spawnp(&pid_, name_.c_str(), &actions, &attributes, argv.data(), envp.data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  ::close(theirs);
  if (failed == 0) return;
  close_pipe();
  pid_ = -1;
  throw std::runtime_error(fmt::format("{} cannot be started: {}.{}", name_, std::strerror(failed),
                                       name_.starts_with("pg_") ? " Install PostgreSQL's client programs." : ""));
}

ChildProcess::~ChildProcess() {
  close_pipe();
  if (pid_ < 0) return;
  ::kill(pid_, SIGTERM);
  ::waitpid(pid_, nullptr, 0);
}

void ChildProcess::close_pipe() {
  if (pipe_ >= 0) ::close(pipe_);
  pipe_ = -1;
}

std::string_view ChildProcess::read() {
  buffer_.resize(64 * 1024);
  ssize_t size = 0;
  do size = ::read(pipe_, buffer_.data(), buffer_.size());
  while (size < 0 && errno == EINTR);
  if (size < 0) throw std::runtime_error(fmt::format("The output of {} cannot be read.", name_));
  return std::string_view(buffer_).substr(0, static_cast<std::size_t>(size));
}

void ChildProcess::write(std::string_view data) {
  while (!data.empty()) {
    const ssize_t size = ::write(pipe_, data.data(), data.size());
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) throw std::runtime_error(fmt::format("{} has ended early.", name_));
    data.remove_prefix(static_cast<std::size_t>(size));
  }
}

void ChildProcess::end() const {
  ::kill(pid_, SIGTERM);
}

void ChildProcess::finish() {
  close_pipe();
  int status = 0;
  const pid_t ended = ::waitpid(pid_, &status, 0);
  pid_ = -1;
  if (ended >= 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0) return;
  throw std::runtime_error(fmt::format("{} has failed.", name_));
}

}  // namespace guildhall
