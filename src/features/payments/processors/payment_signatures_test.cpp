#include "features/payments/processors/payment_signatures.h"

#include <gtest/gtest.h>

namespace guildhall {
namespace {

TEST(PaymentSignatures, fit_the_providers_known_answers) {
  EXPECT_EQ(apppay_signature("https://example.com/webhook", R"({"hello":"world"})", "asdf1234"),
            "2kRE5qRU2tR+tBGlDwMEw2avJ7QM4ikPYD/PJ3bd9Og=");
  EXPECT_EQ(wallet_signed_text("id", "time", "hook", "123456789"), "id|time|hook|3421780262");
}

TEST(PaymentSignatures, verify_only_the_very_bytes_under_the_very_secret) {
  const std::string body = R"({"a":1})";
  EXPECT_TRUE(verify_crypto_gateway_signature(crypto_gateway_signature(body, "s"), body, "s"));
  EXPECT_TRUE(verify_crypto_commerce_signature(crypto_commerce_signature(body, "s"), body, "s"));
  EXPECT_TRUE(verify_apppay_signature(apppay_signature("u", body, "s"), "u", body, "s"));
  for (const std::string& other : {std::string("{\"a\":2}"), std::string(), body + "\n"}) {
    EXPECT_FALSE(verify_crypto_gateway_signature(crypto_gateway_signature(body, "s"), other, "s"));
    EXPECT_FALSE(verify_crypto_commerce_signature(crypto_commerce_signature(body, "s"), other, "s"));
    EXPECT_FALSE(verify_apppay_signature(apppay_signature("u", body, "s"), "u", other, "s"));
  }
  EXPECT_FALSE(verify_apppay_signature(apppay_signature("u", body, "s"), "v", body, "s"));
  EXPECT_FALSE(verify_crypto_gateway_signature(crypto_commerce_signature(body, "s"), body, "s")) << "no prefix";
  EXPECT_FALSE(verify_crypto_gateway_signature("", body, "s"));
  EXPECT_FALSE(verify_crypto_gateway_signature(crypto_gateway_signature(body, ""), body, "")) << "no secret, no check";
  EXPECT_FALSE(verify_crypto_commerce_signature(crypto_commerce_signature(body, ""), body, ""));
}

}  // namespace
}  // namespace guildhall
