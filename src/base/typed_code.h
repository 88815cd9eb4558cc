#pragma once

#include <string>
#include <string_view>

// Random codes that people type: ABCD-EFGH-IJKL-MNOP.
namespace guildhall {

// A code of 80 random bits.
std::string make_typed_code();

// A hash that is the same for a code in lower case and without its hyphens. A code is random and long enough for a
// plain hash.
std::string hash_of_typed_code(std::string_view code);

}  // namespace guildhall
