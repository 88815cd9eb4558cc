#pragma once

#include <netinet/in.h>
#include <signal.h>
#include <string>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace guildhall::test {

inline int free_port() {
  const int probe = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  ::bind(probe, reinterpret_cast<sockaddr*>(&address), size);
  ::getsockname(probe, reinterpret_cast<sockaddr*>(&address), &size);
  ::close(probe);
  return ntohs(address.sin_port);
}

// A Redis server for one test, which may stop and kill it.
class PrivateRedis {
 public:
  explicit PrivateRedis(std::vector<std::string> options = {}) : options_(std::move(options)) { start(); }
  ~PrivateRedis() { kill(); }

  void start() {
    std::vector<std::string> words{"redis-server",       "--bind", "127.0.0.1", "--port",
                                   std::to_string(port), "--save", "",          "--logfile",
                                   "/dev/null",          "--dir",  "/"};
    words.insert(words.end(), options_.begin(), options_.end());
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    process_ = ::fork();
    if (process_ == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // ends with a test that crashed
      ::execvp(arguments[0], arguments.data());
      ::_exit(127);
    }
  }

  void pause() { ::kill(process_, SIGSTOP); }
  void go_on() { ::kill(process_, SIGCONT); }
  void kill() {
    if (process_ == 0) return;
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
    process_ = 0;
  }

  const int port = free_port();

 private:
  std::vector<std::string> options_;
  pid_t process_ = 0;
};

}  // namespace guildhall::test
