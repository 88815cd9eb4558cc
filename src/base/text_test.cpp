#include "base/text.h"

#include <gtest/gtest.h>

namespace guildhall {
namespace {

TEST(Folded, puts_letters_of_every_alphabet_into_lower_case) {
  EXPECT_EQ(folded("AbZ09-_@[`{"), "abz09-_@[`{");
  EXPECT_EQ(folded("ÀÞ×ŸŁŽ ΆΣΏσς ЀЯҐ ԱՖ ẞß ＡＺ Ǆ Ơ 😀"), "àþ×ÿłž άσώσσ ѐяґ աֆ ßß ａｚ ǆ ơ 😀");
  EXPECT_EQ(folded(""), "");
  EXPECT_EQ(contains_pattern("50%_\\Ä"), "%50\\%\\_\\\\ä%");
}

TEST(StorableText, is_short_valid_utf_8_without_zero_bytes) {
  EXPECT_EQ(storable_text("aä", 2), "a");
  EXPECT_EQ(storable_text("aä", 3), "aä");
  EXPECT_EQ(storable_text("a\xff"), "a?");
  EXPECT_EQ(storable_text(std::string_view("a\0b", 3)), "a?b");
}

TEST(HtmlEscaped, has_no_character_with_a_meaning) {
  EXPECT_EQ(html_escaped("<a href=\"x\">'&'</a>"), "&lt;a href=&quot;x&quot;&gt;&#39;&amp;&#39;&lt;/a&gt;");
}

TEST(CutText, counts_as_chat_platforms_do_and_never_splits_a_character) {
  EXPECT_EQ(utf16_units("añ€😀"), 5u);
  struct Case {
    std::string_view text;
    std::size_t max;
    std::string_view cut;
  };
  for (const Case& line :
       {Case{"", 0, ""}, Case{"abc", 3, "abc"}, Case{"abcd", 3, "ab…"}, Case{"añ€x", 3, "añ…"}, Case{"😀😀", 4, "😀😀"},
        Case{"😀😀", 3, "😀…"}, Case{"😀😀", 2, "…"}, Case{"ab", 1, "…"}, Case{"ab", 0, ""}}) {
    EXPECT_EQ(cut_text(std::string(line.text), line.max), line.cut) << line.text << " " << line.max;
  }
}

}  // namespace
}  // namespace guildhall
