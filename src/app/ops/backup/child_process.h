#pragma once

#include <map>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <vector>

namespace guildhall {

// Another program, with one pipe: from its standard output or to its standard input. Its other streams are those of
// this process. It gets only the given environment and PATH, and so none of this process's secrets.
class ChildProcess {
 public:
  enum class Pipe { output, input };

  // Throws std::runtime_error with a sentence for the operator if the program does not exist.
  ChildProcess(std::vector<std::string> arguments, std::map<std::string, std::string> environment, Pipe pipe);
  ~ChildProcess();  // ends the program if it still runs
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  // The next output; empty at its end.
  std::string_view read();

  // Throws std::runtime_error if the program does not read any more.
  void write(std::string_view data);

  // Asks the program to end. It must not have finished.
  void end() const;

  // Closes the pipe and waits. Throws std::runtime_error if the program has failed.
  void finish();

 private:
  void close_pipe();

  std::string name_;
  pid_t pid_ = -1;
  int pipe_ = -1;
  std::string buffer_;
};

}  // namespace guildhall
