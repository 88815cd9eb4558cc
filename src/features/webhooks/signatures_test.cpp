#include "features/webhooks/signatures.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/crypto.h"
#include "base/encoding.h"
#include "features/webhooks/standard_webhooks.h"

namespace guildhall {
namespace {

using namespace std::chrono_literals;

const std::string body = R"({"id":"evt_1","object":"event","data":{"object":{"weight":136.0,"name":"Zoë"}}})";
const std::string secret = "whsec_billing", other_secret = "whsec_other";
const Instant signed_at = *parse_instant("2026-11-15T10:00:00Z");

std::string v1(const std::string& key, Instant made = signed_at, const std::string& signed_body = body) {
  return hex(HmacSha256(key).sign(fmt::format("{}.{}", made.ms / 1000, signed_body)));
}

std::string upper(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

struct BillingCase {
  std::string name;
  std::string header;
  bool good;
  std::vector<std::string> secrets = {secret};
  std::string sent = body;
};

class BillingSignature : public ::testing::TestWithParam<BillingCase> {};

TEST_P(BillingSignature, is_accepted_or_refused) {
  const BillingCase& test = GetParam();
  EXPECT_EQ(verify_billing_signature(test.header, test.sent, test.secrets, signed_at), test.good);
}

const std::string t = fmt::format("t={}", signed_at.ms / 1000);

const std::vector<BillingCase> billing_cases{
    {"valid", t + ",v1=" + v1(secret), true},
    {"what_we_would_send", billing_signature(body, secret, signed_at), true},
    {"rotated_secret", t + ",v1=" + v1(other_secret), true, {secret, other_secret}},
    {"old_secret_gone", t + ",v1=" + v1(secret), false, {other_secret}},
    {"several_signatures", t + ",v1=" + v1(other_secret) + ",v1=" + v1(secret), true},
    {"short_then_good", t + ",v1=abc,v1=" + v1(secret), true},
    {"signature_before_time", "v1=" + v1(secret) + "," + t, true},
    {"trailing_comma", t + ",v1=" + v1(secret) + ",", true},
    {"other_scheme_besides", t + ",v0=abc,v1=" + v1(secret), true},
    {"wrong", t + ",v1=" + v1("guess"), false},
    {"empty_signature", t + ",v1=", false},
    {"empty_header", "", false},
    {"empty_secret", t + ",v1=" + v1(""), false, {""}},
    {"no_secret", t + ",v1=" + v1(secret), false, {}},
    {"uppercase", t + ",v1=" + upper(v1(secret)), false},
    {"space_after_comma", t + ", v1=" + v1(secret), false},
    {"only_another_scheme", t + ",v0=" + v1(secret), false},
    {"no_time", "v1=" + v1(secret), false},
    {"time_that_is_no_number", "t=now,v1=" + v1(secret), false},
    {"time_with_a_tail", t + "x,v1=" + v1(secret), false},
    {"time_beyond_all_bounds", "t=99999999999999999999,v1=" + v1(secret), false},
    {"just_in_time", billing_signature(body, secret, signed_at - 300s), true},
    {"stale", billing_signature(body, secret, signed_at - 301s), false},
    {"a_little_early", billing_signature(body, secret, signed_at + 300s), true},
    {"from_the_future", billing_signature(body, secret, signed_at + 301s), false},
    {"other_time_than_signed", fmt::format("t={},v1={}", signed_at.ms / 1000 + 1, v1(secret)), false},
    {"empty_body", t + ",v1=" + v1(secret, signed_at, ""), false, {secret}, ""},
    {"reserialised_body",
     t + ",v1=" + v1(secret),
     false,
     {secret},
     R"({"id":"evt_1","object":"event","data":{"object":{"weight":136,"name":"Zo\u00eb"}}})"},
    {"tampered_byte", t + ",v1=" + v1(secret), false, {secret}, "{" + body.substr(1, body.size() - 2) + " "},
};
INSTANTIATE_TEST_SUITE_P(Table, BillingSignature, ::testing::ValuesIn(billing_cases),
                         [](const auto& info) { return info.param.name; });

struct ShippingCase {
  std::string name;
  std::string header;
  bool good;
  std::string key = "sécret";
  std::string sent = R"({"description":"tracker.updated","result":{"weight":136.0}})";
};

class ShippingSignature : public ::testing::TestWithParam<ShippingCase> {};

TEST_P(ShippingSignature, is_accepted_or_refused) {
  const ShippingCase& test = GetParam();
  EXPECT_EQ(verify_shipping_signature(test.header, test.sent, test.key), test.good);
}

const std::string known = "7b3a8cb7235be533c49abb4cc95fe528e5cfec46aa44cdae39badcab09f8bb81";

const std::vector<ShippingCase> shipping_cases{
    {"known_answer", "hmac-sha256-hex=" + known, true},
    {"bare_hex", known, true},
    {"secret_already_decomposed", known, true,
     "se\xcc\x81"
     "cret"},
    {"what_we_would_send",
     shipping_signature(R"({"description":"tracker.updated","result":{"weight":136.0}})", "sécret"), true},
    {"other_secret", known, false, "secret"},
    {"empty_header", "", false},
    {"only_the_prefix", "hmac-sha256-hex=", false},
    {"empty_secret", shipping_signature("x", "y"), false, ""},
    {"uppercase", "hmac-sha256-hex=" + upper(known), false},
    {"uppercase_prefix", "HMAC-SHA256-HEX=" + known, false},
    {"short", known.substr(1), false},
    {"with_a_tail", known + "0", false},
    {"two_of_them", known + "," + known, false},
    {"reserialised_body", known, false, "sécret", R"({"description":"tracker.updated","result":{"weight":136}})"},
    {"tampered_byte", known, false, "sécret", R"({"description":"tracker.updated","result":{"weight":137.0}})"},
};
INSTANTIATE_TEST_SUITE_P(Table, ShippingSignature, ::testing::ValuesIn(shipping_cases),
                         [](const auto& info) { return info.param.name; });

// The example of the Standard Webhooks specification.
const std::string example_secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const Instant example_time{1614265330'000};
constexpr std::string_view example_signature = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";

TEST(StandardWebhooks, sign_as_the_specification_says) {
  EXPECT_EQ(webhook_signature("msg_p5jXN8AQM9LWM0D4loKWxJek", example_time, R"({"test": 2432232314})",
                              std::vector{example_secret}),
            example_signature);
}

TEST(StandardWebhooks, sign_with_every_secret) {
  const std::vector<std::string> both{make_webhook_secret(), example_secret};
  const std::string header =
      webhook_signature("msg_p5jXN8AQM9LWM0D4loKWxJek", example_time, R"({"test": 2432232314})", both);
  EXPECT_TRUE(header.starts_with("v1,"));
  EXPECT_TRUE(header.ends_with(" " + std::string(example_signature)));
}

TEST(StandardWebhooks, make_secrets_that_differ_and_refuse_others) {
  EXPECT_NE(make_webhook_secret(), make_webhook_secret());
  EXPECT_TRUE(make_webhook_secret().starts_with("whsec_"));
  for (const std::string& bad : {std::string("secret"), std::string("whsec_"), std::string("whsec_*")}) {
    EXPECT_THROW(webhook_signature("id", signed_at, "{}", std::vector{bad}), std::invalid_argument) << bad;
  }
}

}  // namespace
}  // namespace guildhall
