#include "base/log.h"

#include <gtest/gtest.h>
#include <simdjson.h>

#include "base/log_lines.h"
#include "base/log_repeats.h"

namespace guildhall::log {
namespace {

using namespace std::chrono_literals;

// The lines that `work` writes to standard error.
template <class Work>
std::vector<std::string> logged(Work work) {
  ::testing::internal::CaptureStderr();
  configure(Level::info, true);
  work();
  report_repeats(true);
  configure(Level::error, false);
  std::vector<std::string> lines;
  const std::string all = ::testing::internal::GetCapturedStderr();
  for (std::size_t at = 0, end = 0; (end = all.find('\n', at)) != all.npos; at = end + 1) {
    lines.push_back(all.substr(at, end - at));
  }
  return lines;
}

TEST(Log, writes_numbers_and_booleans_as_such) {
  const auto lines = logged([] {
    info("types", {{"count", 7},
                   {"share", 0.25},
                   {"yes", true},
                   {"text", "12"},
                   {"letter", 'x'},
                   {"nothing", std::numeric_limits<double>::infinity()}});
  });
  ASSERT_EQ(lines.size(), 1U);
  simdjson::dom::parser parser;
  const simdjson::dom::element line = parser.parse(lines[0]);
  EXPECT_EQ(std::int64_t(line["count"]), 7);
  EXPECT_EQ(double(line["share"]), 0.25);
  EXPECT_TRUE(bool(line["yes"]));
  EXPECT_EQ(std::string_view(line["text"]), "12");
  EXPECT_EQ(std::string_view(line["letter"]), "x");
  EXPECT_TRUE(line["nothing"].is_string()) << "JSON has no infinity";
}

TEST(Log, limits_repeated_lines_and_counts_the_rest) {
  const auto lines = logged([] {
    for (int i = 0; i < 1000; ++i) warn("the disk is full", {{"request", i}});
    warn("something else");
  });
  ASSERT_EQ(lines.size(), static_cast<std::size_t>(repeated_lines_max) + 2);
  EXPECT_NE(lines.back().find("the disk is full (repeated 980 times)"), std::string::npos) << lines.back();
  EXPECT_NE(lines.back().find(R"("level":"warn")"), std::string::npos);
  EXPECT_NE(lines.back().find(R"("repeated":980)"), std::string::npos);
}

TEST(Repeats, start_again_with_the_next_window) {
  Repeats repeats;
  std::vector<Repeats::Summary> passed;
  const Repeats::Time start{1000s};
  for (int i = 0; i < repeated_lines_max + 5; ++i) {
    EXPECT_EQ(repeats.admit(Level::warn, "m", start, passed), i < repeated_lines_max);
  }
  EXPECT_TRUE(repeats.passed_windows(start + Repeats::window - 1ms).empty());
  EXPECT_TRUE(repeats.admit(Level::warn, "m", start + Repeats::window, passed));
  ASSERT_EQ(passed.size(), 1U);
  EXPECT_EQ(passed[0].suppressed, 5U);
  EXPECT_TRUE(repeats.passed_windows(start + 3 * Repeats::window).empty()) << "nothing was suppressed since";
}

TEST(LineWriter, writes_everything_by_its_end) {
  const auto lines = logged([] {
    LineWriter writer;
    LineWriter::Buffer& one = writer.new_buffer();
    LineWriter::Buffer& two = writer.new_buffer();
    std::thread other([&] {
      for (int i = 0; i < 1000; ++i) two.append("from two\n");
    });
    for (int i = 0; i < 1000; ++i) one.append("from one\n");
    other.join();
  });
  EXPECT_EQ(std::ranges::count(lines, "from one"), 1000);
  EXPECT_EQ(std::ranges::count(lines, "from two"), 1000);
}

TEST(LineWriter, drops_and_counts_lines_that_are_not_read) {
  const std::string line(1023, 'x');
  const auto lines = logged([&] {
    LineWriter writer;
    LineWriter::Buffer& buffer = writer.new_buffer();
    const std::string too_much(LineWriter::buffer_bytes_max + 1, 'x');
    buffer.append(too_much);
    buffer.append(line + "\n");
  });
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[0], line);
  EXPECT_NE(lines[1].find(R"("lines":1)"), std::string::npos) << lines[1];
}

}  // namespace
}  // namespace guildhall::log
