#pragma once

#include <optional>
#include <string>

namespace guildhall {

// Returns the random secret in the file, which is generated at the first call and readable only by its owner. For
// development, where the operator need not configure one.
std::string generated_secret(const std::string& path);

// Returns the secret in the file, or nothing if none has been generated.
std::optional<std::string> read_generated_secret(const std::string& path);

}  // namespace guildhall
