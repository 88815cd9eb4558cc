#pragma once

#include <optional>
#include <string>

namespace guildhall {

// A random secret kept in a file that only its owner can read; made at the first call. For development, where nobody
// wants to configure one.
std::string kept_secret(const std::string& path);

// The secret that kept_secret has made, if it has.
std::optional<std::string> read_kept_secret(const std::string& path);

}  // namespace guildhall
