#include "base/text_cut.h"

#include <gtest/gtest.h>

namespace guildhall {
namespace {

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
