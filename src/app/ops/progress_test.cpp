#include "app/ops/progress.h"

#include <gtest/gtest.h>
#include <sstream>

namespace guildhall {
namespace {

class ProgressLines : public ::testing::Test {
 protected:
  ProgressOutput output(bool terminal) {
    return {out, terminal, [this] { return time; }};
  }

  std::ptrdiff_t lines() const {
    const std::string text = out.str();
    return std::count(text.begin(), text.end(), '\n');
  }

  std::ostringstream out;
  std::chrono::steady_clock::time_point time;
};

TEST_F(ProgressLines, show_amount_rate_and_the_time_that_is_left) {
  Progress progress("exporting", 54'000, Progress::Unit::rows, output(false));
  progress.add(500);
  EXPECT_EQ(out.str(), "") << "a command that ends at once shows nothing";
  time += std::chrono::seconds(4);
  progress.add(11'500);
  EXPECT_EQ(out.str(), "exporting: 12,000 of 54,000 rows (22 %), 3,000 rows/s, 14 s left\n");
  time += std::chrono::seconds(4);
  progress.add(1);
  EXPECT_EQ(lines(), 1) << "a line every five seconds";
  time += std::chrono::seconds(1);
  progress.add(1);
  EXPECT_EQ(lines(), 2);
}

TEST_F(ProgressLines, with_a_bar_replace_each_other_on_a_terminal) {
  Progress progress("backing up", 12 << 20, Progress::Unit::bytes, output(true));
  time += std::chrono::seconds(2);
  progress.add(3 << 20);
  EXPECT_EQ(out.str(),
            "\r\x1b[?7l[#####---------------] backing up: 3.0 MiB of 12.0 MiB (25 %), 1.5 MiB/s, 6 s left\x1b[K"
            "\x1b[?7h");
  time += std::chrono::seconds(2);
  progress.add(10 << 20);
  progress.clear();
  EXPECT_TRUE(out.str().ends_with("\r\x1b[K")) << "other lines can be printed";
  const std::size_t length = out.str().size();
  progress.clear();
  EXPECT_EQ(out.str().size(), length) << "there is nothing to remove";
  EXPECT_NE(out.str().find("[####################] backing up: 13.0 MiB of 12.0 MiB (100 %), 3.2 MiB/s\x1b[K"),
            std::string::npos)
      << "a total that was too low";
}

TEST_F(ProgressLines, have_no_bar_without_a_total) {
  {
    Progress progress("backing up", 0, Progress::Unit::bytes, output(true));
    time += std::chrono::seconds(2);
    progress.add(3 << 20);
    EXPECT_EQ(out.str(), "\r\x1b[?7lbacking up: 3.0 MiB, 1.5 MiB/s\x1b[K\x1b[?7h");
  }
  EXPECT_TRUE(out.str().ends_with("\r\x1b[K")) << "nothing stays";
}

}  // namespace
}  // namespace guildhall
