#pragma once

#include <functional>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

// Configuration comes from environment variables only. Each module declares its own: a struct that holds the parsed
// values, with a static function `variables()` that lists the variables. This file parses and shows them; it does not
// know which variables exist.
namespace guildhall {

// How a value may be shown.
enum class Exposure {
  plain,     // in full, except a password in a URL
  url,       // like `plain`, for URLs whose password may contain any character
  secret,    // the last four characters, or none of a value that is shorter than twelve
  secrets,   // a comma-separated list of secrets, each masked by itself
  password,  // not at all
};

// An environment variable.
struct Variable {
  std::string_view name;
  std::string_view fallback;  // the default, parsed like a given value; empty: the member keeps its initial value
  std::string_view help;      // for docs/configuration.md
  Exposure exposure;
};

// Returns the rule that a value breaks in production ("must have at least 16 characters"), or an empty text. It is
// called with an empty value when the variable is not set and has no default.
using ProductionRule = std::function<std::string(std::string_view value)>;

// An environment variable that is stored in a member of the struct C.
template <class C>
struct VariableOf : Variable {
  // `member` is a pointer to a member of C, or a function that returns a reference into a C. `parse` turns the
  // variable's text into the member's value, and throws std::invalid_argument("must be …") when it cannot.
  template <class Member, class Parse>
  VariableOf(std::string_view name, std::string_view fallback, Member member, Parse parse, std::string_view help,
             Exposure exposure = Exposure::plain, ProductionRule rule = {})
      : Variable{name, fallback, help, exposure},
        store([member, parse](std::string_view text, C& config) { std::invoke(member, config) = parse(text); }),
        production_rule(std::move(rule)) {}

  std::function<void(std::string_view text, C& config)> store;
  ProductionRule production_rule;
};

// The value of an environment variable; nothing when it is not set or empty.
using Environment = std::function<std::optional<std::string>(std::string_view name)>;
Environment process_environment();

// The given value, or else the default.
std::string value_of(const Variable& variable, const Environment& environment);

struct ConfigProblem {
  std::string variable;
  std::string message;  // "must be true or false"
};

// The configuration of several modules in one object. It converts to the struct of each module.
template <class... Configs>
struct JoinedConfig : Configs... {
  // The variables of all modules, in the order of the template's arguments.
  static std::vector<Variable> variables() {
    std::vector<Variable> all;
    const auto add = [&](const auto& listed) { all.insert(all.end(), listed.begin(), listed.end()); };
    (add(Configs::variables()), ...);
    return all;
  }

  // Parses all variables. A variable with a problem leaves its member unchanged.
  void read(const Environment& environment, std::vector<ConfigProblem>& problems) {
    (read_module<Configs>(environment, problems), ...);
  }

  // Adds a problem for every value that breaks its variable's production rule.
  static void check_production_rules(const Environment& environment, std::vector<ConfigProblem>& problems) {
    (check_module<Configs>(environment, problems), ...);
  }

 private:
  template <class C>
  void read_module(const Environment& environment, std::vector<ConfigProblem>& problems) {
    for (const VariableOf<C>& variable : C::variables()) {
      const std::string text = value_of(variable, environment);
      if (text.empty()) continue;
      try {
        variable.store(text, *this);
      } catch (const std::invalid_argument& rule) {
        problems.push_back({std::string(variable.name), rule.what()});
      }
    }
  }

  template <class C>
  static void check_module(const Environment& environment, std::vector<ConfigProblem>& problems) {
    for (const VariableOf<C>& variable : C::variables()) {
      if (!variable.production_rule) continue;
      std::string broken = variable.production_rule(value_of(variable, environment));
      if (!broken.empty()) problems.push_back({std::string(variable.name), std::move(broken)});
    }
  }
};

// The value as it may be shown to an operator, masked according to the variable's exposure.
std::string shown_value(const Variable& variable, std::string_view value);

// The text of `guildhall config`: every variable with the value in force.
std::string config_listing(std::span<const Variable> variables, const Environment& environment);

// The text of `guildhall config --markdown`, which is docs/configuration.md.
std::string config_markdown(std::span<const Variable> variables);

}  // namespace guildhall
