#pragma once

#include <CLI/CLI.hpp>
#include <string>

// Texts that are made from the description of the command line.
namespace guildhall {

// guildhall(1) in the format of man, with all commands, options and environment variables.
std::string man_page(const CLI::App& cli);

// A script that completes commands and options in bash.
std::string bash_completion(const CLI::App& cli);

// All commands as a table of Markdown, for docs/commands.md.
std::string commands_markdown(const CLI::App& cli);

}  // namespace guildhall
