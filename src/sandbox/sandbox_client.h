#pragma once

#include <string>

#include "base/json_lookup.h"

namespace guildhall {

// Calls the control interface of a running sandbox, and returns its answer. Throws std::runtime_error with a sentence
// for the operator if the sandbox does not answer or refuses.
JsonLookup call_sandbox(const std::string& sandbox, const std::string& method, const std::string& path,
                        const std::string& body = "");

}  // namespace guildhall
