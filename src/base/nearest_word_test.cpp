#include "base/nearest_word.h"

#include <gtest/gtest.h>
#include <vector>

namespace guildhall {
namespace {

TEST(NearestWord, finds_the_word_that_was_probably_meant) {
  const std::vector<std::string_view> words{"serve", "export", "import", "doctor"};
  EXPECT_EQ(nearest_word("sevre", words), "serve");
  EXPECT_EQ(nearest_word("doktor", words), "doctor");
  EXPECT_EQ(nearest_word("exports", words), "export");
  EXPECT_EQ(nearest_word("import", words), "import");
}

TEST(NearestWord, finds_nothing_where_too_much_is_different) {
  const std::vector<std::string_view> words{"serve", "export", "db"};
  EXPECT_EQ(nearest_word("start", words), std::nullopt);
  EXPECT_EQ(nearest_word("dc", words), std::nullopt) << "half of the word is different";
  EXPECT_EQ(nearest_word("", words), std::nullopt);
  EXPECT_EQ(nearest_word("serve", {}), std::nullopt);
}

}  // namespace
}  // namespace guildhall
