#include "base/totp.h"

#include <gtest/gtest.h>

namespace guildhall {
namespace {

constexpr std::string_view secret = "12345678901234567890";

// The last six digits of the codes in RFC 6238, appendix B (SHA-1).
TEST(Totp, gives_the_codes_of_the_standard) {
  struct Case {
    std::int64_t seconds;
    std::string_view code;
  };
  for (const Case& each : {Case{59, "287082"}, Case{1111111109, "081804"}, Case{1111111111, "050471"},
                           Case{1234567890, "005924"}, Case{2000000000, "279037"}, Case{20000000000, "353130"}}) {
    EXPECT_EQ(totp_code(secret, each.seconds / 30), each.code) << each.seconds;
  }
}

TEST(Totp, accepts_the_steps_beside_the_present_one) {
  const Instant now{1'111'111'111'000};
  const std::int64_t step = now.ms / 30'000;
  for (std::int64_t offset = -3; offset <= 3; ++offset) {
    const auto found = totp_step(secret, totp_code(secret, step + offset), now);
    EXPECT_EQ(found.has_value(), offset >= -1 && offset <= 1) << offset;
    if (found) EXPECT_EQ(*found, step + offset);
  }
  EXPECT_FALSE(totp_step(secret, "", now));
  EXPECT_FALSE(totp_step(secret, "0504710", now));
}

// RFC 4648, section 10, without the padding.
TEST(Base32, gives_the_texts_of_the_standard) {
  EXPECT_EQ(base32(""), "");
  EXPECT_EQ(base32("f"), "MY");
  EXPECT_EQ(base32("fo"), "MZXQ");
  EXPECT_EQ(base32("foo"), "MZXW6");
  EXPECT_EQ(base32("foob"), "MZXW6YQ");
  EXPECT_EQ(base32("fooba"), "MZXW6YTB");
  EXPECT_EQ(base32("foobar"), "MZXW6YTBOI");
}

}  // namespace
}  // namespace guildhall
