#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/config.h"

namespace guildhall {

struct UnknownVariable {
  std::string name;
  std::string meant;  // the known variable with a similar name; empty: only the first word is the same
};

// Returns those of `names` that are no known variable but look like one: a few letters differ, or the first word is one
// that several known variables begin with.
std::vector<UnknownVariable> misspelt_variables(std::span<const Variable> known, const std::vector<std::string>& names);

// Returns "is not a variable of Guildhall: did you mean …?", or that the variable has no effect.
std::string misspelling_sentence(const UnknownVariable& unknown);

// The names of all variables that this process was started with.
std::vector<std::string> process_variable_names();

}  // namespace guildhall
