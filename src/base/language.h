#pragma once

#include <optional>
#include <string_view>

namespace guildhall {

// The languages of the built-in texts.
enum class Language { en, de };

// The language of a locale such as de-AT; nothing if there are no texts in it.
std::optional<Language> language_of(std::string_view locale);

// The language that an Accept-Language header prefers; nothing if there are no texts in any that it names.
std::optional<Language> preferred_language(std::string_view accept_language);

// `en` or `de`
std::string_view code_of(Language language);

}  // namespace guildhall
