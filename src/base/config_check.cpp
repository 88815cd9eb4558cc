#include "base/config_check.h"

#include <algorithm>
#include <map>
#include <set>
#include <unistd.h>

#include "base/nearest_word.h"

namespace guildhall {
namespace {

constexpr int shared_by_min = 3;  // settings; fewer do not make a word ours

std::string first_word(std::string_view name) {
  return std::string(name.substr(0, name.find('_')));
}

// CHAT, WALLET, RATE …
std::set<std::string> shared_words() {
  std::map<std::string, int> counts;
  for (const Setting& setting : settings()) ++counts[first_word(setting.name)];
  std::set<std::string> words;
  for (const auto& [word, count] : counts) {
    if (count >= shared_by_min) words.insert(word);
  }
  return words;
}

}  // namespace

std::vector<UnknownVariable> misspelt_variables(const std::vector<std::string>& names) {
  std::vector<std::string_view> ours;
  for (const Setting& setting : settings()) ours.push_back(setting.name);
  const std::set<std::string> words = shared_words();
  std::vector<UnknownVariable> found;
  for (const std::string& name : names) {
    if (std::find(ours.begin(), ours.end(), name) != ours.end()) continue;
    const auto meant = nearest_word(name, ours);
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
