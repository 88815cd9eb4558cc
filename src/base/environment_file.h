#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Files of environment variables, read as systemd reads those of `EnvironmentFile=`, so that a command and the service
// have the same configuration. Nothing is executed or expanded, unlike in a shell.
namespace guildhall {

using Assignments = std::vector<std::pair<std::string, std::string>>;  // name, value

// Returns the variables in the order of the text. Lines without `=`, comments (`#`, `;`) and names that are not valid
// are left out. Values may be quoted, and a line may be continued after a backslash.
Assignments parse_environment_file(std::string_view text);

// Sets the variables of the file in the environment of this process; a later line wins. Call it before any thread is
// created. Throws std::runtime_error with a sentence for the operator if the file cannot be read.
void load_environment_file(const std::string& path);

}  // namespace guildhall
