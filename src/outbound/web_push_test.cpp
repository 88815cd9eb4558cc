#include "outbound/web_push.h"

#include <gtest/gtest.h>

#include "base/encoding.h"

namespace guildhall::outbound {
namespace {

std::string decoded(std::string_view text) {
  return from_base64url(text).value();
}

// The example of RFC 8291, section 5 and appendix A.
const P256Key rfc_sender{
    decoded("BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8"),
    decoded("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw")};
const P256Key rfc_browser{
    decoded("BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"),
    decoded("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94")};
const PushReceiver rfc_receiver{"https://push.example.net/push/JzLQ3raZJfFBR0aqvOMsLrt54w4rJUsV",
                                rfc_browser.public_bytes, decoded("BTBZMqHH6r4Tts7J_aSIgg")};
constexpr std::string_view rfc_text = "When I grow up, I want to be a watermelon";

TEST(WebPush, encrypts_as_the_example_of_rfc_8291) {
  EXPECT_EQ(
      base64url(encrypt_push(rfc_text, rfc_receiver, rfc_sender, decoded("DGv6ra1nlYgDCS1FRnbzlw"))),
      "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBr"
      "u3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN");
}

TEST(WebPush, uses_a_new_key_and_salt_for_every_message) {
  const std::string first = encrypt_push(rfc_text, rfc_receiver), second = encrypt_push(rfc_text, rfc_receiver);
  EXPECT_NE(first.substr(0, 16), second.substr(0, 16));
  EXPECT_NE(first.substr(21, 65), second.substr(21, 65));
}

TEST(WebPush, accepts_only_points_of_the_curve) {
  EXPECT_TRUE(is_p256_point(rfc_browser.public_bytes));
  std::string moved = rfc_browser.public_bytes;
  moved.back() = static_cast<char>(moved.back() ^ 1);
  EXPECT_FALSE(is_p256_point(moved));
  EXPECT_FALSE(is_p256_point(""));
  EXPECT_FALSE(is_p256_point(rfc_browser.public_bytes.substr(1)));
  EXPECT_FALSE(is_p256_point(std::string(65, '\0')));
}

}  // namespace
}  // namespace guildhall::outbound
