#include "base/language.h"

#include <gtest/gtest.h>

namespace guildhall {
namespace {

TEST(Languages, are_found_by_locale) {
  EXPECT_EQ(language_of("de"), Language::de);
  EXPECT_EQ(language_of("de-AT"), Language::de);
  EXPECT_EQ(language_of("en-GB"), Language::en);
  EXPECT_EQ(language_of("EN"), Language::en);
  for (const char* other : {"", "fr", "den", "d", "-de"}) EXPECT_FALSE(language_of(other)) << other;
}

TEST(Languages, are_chosen_by_what_a_browser_prefers) {
  EXPECT_EQ(preferred_language("de-AT,de;q=0.9,en;q=0.8"), Language::de);
  EXPECT_EQ(preferred_language("fr-FR, fr;q=0.9, en;q=0.5, de;q=0.7"), Language::de);
  EXPECT_EQ(preferred_language("en;q=0.1, de;q=0"), Language::en);
  EXPECT_EQ(preferred_language("en, de"), Language::en) << "the first of equal ones";
  for (const char* none : {"", "*", "fr", ",,;", "de;q=x", "de;q=7"}) EXPECT_FALSE(preferred_language(none)) << none;
}

}  // namespace
}  // namespace guildhall
