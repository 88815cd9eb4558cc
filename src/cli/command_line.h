#pragma once

#include <CLI/CLI.hpp>

// The command line: which commands and options there are, and what they call. This description is the only one: the
// help, the man page and the completion of bash are made from it.
namespace guildhall {

// Adds all commands. They store their exit code in `result`, which must outlive the parse.
void describe_commands(CLI::App& cli, int& result);

// Parses the arguments and runs the command. Returns the exit code.
int run_command_line(int argc, char** argv);

}  // namespace guildhall
