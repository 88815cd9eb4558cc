#include "base/environment_file.h"

#include <gtest/gtest.h>

namespace guildhall {
namespace {

std::string value_in(std::string_view text) {
  const Assignments found = parse_environment_file(text);
  return found.size() == 1 && found[0].first == "A" ? found[0].second : "(not one assignment of A)";
}

// Each pair is a file and the value that a service of systemd 252 has with it.
TEST(EnvironmentFile, gives_the_values_that_systemd_gives) {
  const std::pair<std::string_view, std::string_view> values[] = {
      {"A=b", "b"},
      {"A=b\n", "b"},
      {"A=", ""},
      {"  A = b c  \n", "b c"},
      {"A=postgresql://u:p@h/db?a=b&c=d", "postgresql://u:p@h/db?a=b&c=d"},
      {"A=$(touch /tmp/x) `id` $HOME ; rm", "$(touch /tmp/x) `id` $HOME ; rm"},
      {"A=b # no comment", "b # no comment"},
      {"A=\"b c \" ", "b c "},
      {"A='b \\ \"c\"'", "b \\ \"c\""},
      {"A=\"b\"'c'd", "bcd"},
      {"A=\"\\$x \\\" \\n \\\\\"", "$x \" \\n \\"},
      {"A=b\"c\"", "b\"c\""},
      {"A=b\\ \\\nc", "b c"},
      {"A=\"b\nc\"", "b\nc"},
      {"A=\"b\\\nc\"", "bc"},
      {"A=\"not closed", "not closed"},
      {"A=b\r\n", "b"},
      {"# A=x\n; A=y\n\nno assignment\n1A=x\nB-C=x\nA=b", "b"},
      {"# continued \\\nA=x\nA=b", "b"},
  };
  for (const auto& [text, value] : values) EXPECT_EQ(value_in(text), value) << text;
}

TEST(EnvironmentFile, keeps_the_order_of_its_lines) {
  const Assignments wanted{{"A", "1"}, {"_b2", ""}, {"A", "2"}};
  EXPECT_EQ(parse_environment_file("A=1\n_b2=\nA=2\n"), wanted);
}

TEST(EnvironmentFile, that_is_missing_is_named) {
  try {
    load_environment_file("/nowhere/guildhall.env");
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string_view(error.what()).find("/nowhere/guildhall.env"), std::string_view::npos);
  }
}

}  // namespace
}  // namespace guildhall
