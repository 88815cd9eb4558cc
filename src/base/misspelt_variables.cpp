#include "base/misspelt_variables.h"

#include <algorithm>
#include <map>
#include <set>
#include <unistd.h>

#include "base/nearest_word.h"

namespace guildhall {
namespace {

constexpr int variables_with_word_min = 3;

std::string first_word(std::string_view name) {
  return std::string(name.substr(0, name.find('_')));
}

// The words that several variables begin with: CHAT, WALLET, RATE …
std::set<std::string> shared_first_words(std::span<const Variable> variables) {
  std::map<std::string, int> counts;
  for (const Variable& variable : variables) ++counts[first_word(variable.name)];
  std::set<std::string> words;
  for (const auto& [word, count] : counts) {
    if (count >= variables_with_word_min) words.insert(word);
  }
  return words;
}

}  // namespace

std::vector<UnknownVariable> misspelt_variables(std::span<const Variable> known,
                                                const std::vector<std::string>& names) {
  std::vector<std::string_view> known_names;
  for (const Variable& variable : known) known_names.push_back(variable.name);
  const std::set<std::string> words = shared_first_words(known);
  std::vector<UnknownVariable> found;
  for (const std::string& name : names) {
    if (std::find(known_names.begin(), known_names.end(), name) != known_names.end()) continue;
    const auto meant = nearest_word(name, known_names);
    if (meant || words.contains(first_word(name))) found.push_back({name, std::string(meant.value_or(""))});
  }
  return found;
}

std::string misspelling_sentence(const UnknownVariable& unknown) {
  if (!unknown.meant.empty()) return fmt::format("is not a variable of Guildhall: did you mean {}?", unknown.meant);
  return "begins like Guildhall's variables but is none of them: it has no effect.";
}

std::vector<std::string> process_variable_names() {
  std::vector<std::string> names;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string_view text(*variable);
    names.emplace_back(text.substr(0, text.find('=')));
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace guildhall
