#include "base/language.h"

#include <algorithm>
#include <charconv>

#include "base/ascii.h"

namespace guildhall {
namespace {

constexpr std::size_t header_bytes_max = 1000;

// The value of `;q=`, from 0 to 1; 1 without one.
double weight_of(std::string_view parameters) {
  const std::size_t start = parameters.find("q=");
  if (start == std::string_view::npos) return 1;
  const std::string_view number = parameters.substr(start + 2);
  double weight = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), weight);
  return error == std::errc() && weight >= 0 && weight <= 1 ? weight : 0;
}

}  // namespace

std::optional<Language> language_of(std::string_view locale) {
  const std::string_view language = locale.substr(0, locale.find('-'));
  if (is_text(language, "en")) return Language::en;
  if (is_text(language, "de")) return Language::de;
  return std::nullopt;
}

std::optional<Language> preferred_language(std::string_view accept_language) {
  accept_language = accept_language.substr(0, header_bytes_max);
  std::optional<Language> best;
  double best_weight = 0;
  while (!accept_language.empty()) {
    const std::string_view entry = accept_language.substr(0, accept_language.find(','));
    accept_language.remove_prefix(std::min(accept_language.size(), entry.size() + 1));
    const std::string_view locale = entry.substr(0, entry.find(';'));
    const double weight = weight_of(entry.substr(locale.size()));
    const auto language = language_of(trim(locale));
    if (!language || weight <= best_weight) continue;
    best = language;
    best_weight = weight;
  }
  return best;
}

std::string_view code_of(Language language) {
  return language == Language::de ? "de" : "en";
}

}  // namespace guildhall
