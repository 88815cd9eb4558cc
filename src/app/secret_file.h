#pragma once

#include <string>

namespace guildhall {

// A random secret kept in a file that only its owner can read; made at the first call. For development, where nobody
// wants to configure one.
std::string kept_secret(const std::string& path);

}  // namespace guildhall
