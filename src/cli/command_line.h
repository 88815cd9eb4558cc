#pragma once

#include <CLI/CLI.hpp>

// The command line: which commands and options there are, and what they call. This description is the only one: the
// help, the man page and the completion of bash are made from it.
namespace guildhall {

// Parses the arguments and runs the command of guildhall. Returns the exit code.
int run_command_line(int argc, char** argv);

// The options of both programs, guildhall and guildhall-sandbox: --version and --env-file.
void add_common_options(CLI::App& cli);

// Parses the arguments and runs the command that they name, which stores its exit code in `result`. Returns the exit
// code. A wrong argument is explained on standard error, after the name of the program.
int run_described_command(CLI::App& cli, const char* program, int argc, char** argv, const int& result);

}  // namespace guildhall
