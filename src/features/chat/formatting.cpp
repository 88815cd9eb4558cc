#include "features/chat/formatting.h"

#include <algorithm>
#include <fmt/format.h>

#include "base/decimal.h"

namespace guildhall::chat {
namespace {

constexpr std::string_view thin_space = "\u202f";

struct Separators {
  std::string_view group, point;
};

// By the language, the part of the locale before the '-'.
Separators separators_of(std::string_view locale) {
  const std::string_view language = locale.substr(0, locale.find('-'));
  const auto is_one_of = [&](std::initializer_list<std::string_view> languages) {
    return std::find(languages.begin(), languages.end(), language) != languages.end();
  };
  if (locale == "es-419") return {",", "."};
  if (is_one_of({"de", "es", "it", "nl", "da", "id", "pt", "tr", "el", "ro", "hr", "vi"})) return {".", ","};
  if (is_one_of({"fr", "ru", "uk", "cs", "pl", "fi", "sv", "no", "bg", "hu", "lt"})) return {thin_space, ","};
  return {",", "."};
}

std::string grouped(std::string_view digits, std::string_view separator) {
  std::string out;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) out += separator;
    out += digits[i];
  }
  return out;
}

}  // namespace

std::string money_text(Cents amount, Currency currency, std::string_view locale) {
  const std::string plain = decimal_text(amount, currency);
  const Separators separators = separators_of(locale);
  const std::size_t point = plain.find('.');
  std::string out = grouped(std::string_view(plain).substr(0, point), separators.group);
  if (point != std::string::npos) out.append(separators.point).append(plain, point + 1);
  return fmt::format("{} {}", out, currency.code());
}

std::string date_text(Instant instant) {
  return fmt::format("<t:{}:f>", instant.ms / 1000);
}

}  // namespace guildhall::chat
