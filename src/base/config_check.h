#pragma once

#include "base/config.h"

// What is wrong with a configuration, variable by variable.
namespace guildhall {

struct ConfigProblem {
  std::string variable;
  std::string message;  // "must be true or false"
};

struct CheckedConfig {
  Config config;  // only to be used when there is no problem
  std::vector<ConfigProblem> problems;
};

// Reads the whole table, as read_config does, and returns every problem instead of throwing.
CheckedConfig check_config(const Environment& environment);

struct UnknownVariable {
  std::string name;
  std::string meant;  // the variable that it was probably meant to be; empty: it only begins like ours
};

// Environment variables that are none of ours but look like one: a few letters are different, or they begin with a word
// that several of ours begin with. `names` are those that are set.
std::vector<UnknownVariable> misspelt_variables(const std::vector<std::string>& names);

// "is not a variable of Guildhall: did you mean RATE_LIMIT_DISABLED?"
std::string misspelling_sentence(const UnknownVariable& unknown);

// The names of all variables that this process was started with.
std::vector<std::string> process_variable_names();

}  // namespace guildhall
