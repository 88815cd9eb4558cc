#pragma once

#include <string>
#include <utility>
#include <vector>

namespace guildhall::sandbox {

struct Options;

// The environment variables of a server that uses the sandbox at this port.
std::vector<std::pair<std::string, std::string>> environment_for(const Options& options, std::uint16_t port);

}  // namespace guildhall::sandbox
