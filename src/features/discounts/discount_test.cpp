#include "features/discounts/discount.h"

#include <gtest/gtest.h>

namespace guildhall {
namespace {

constexpr Instant noon{1'000'000};

Discount made(std::string_view json) {
  return discount_from(from_json<NewDiscount>(json), TenantId(std::string("t")), noon);
}

std::string code_of(FunctionRef<void()> action) {
  try {
    action();
  } catch (const Failure& failure) {
    std::string code = failure.code;
    for (const Problem& problem : failure.details) code += " " + problem.field;
    return code;
  }
  return "ok";
}

TEST(Discount, is_checked_as_a_whole) {
  const std::pair<const char*, const char*> cases[] = {
      {R"({"type":"PERCENT","percent":10})", "ok"},
      {R"({"type":"PERCENT","percent":100})", "ok"},
      {R"({"type":"PERCENT","percent":33.33})", "ok"},
      {R"({"type":"PERCENT"})", "VALIDATION_FAILED percent"},
      {R"({"type":"PERCENT","percent":0.99})", "VALIDATION_FAILED percent"},
      {R"({"type":"PERCENT","percent":100.01})", "VALIDATION_FAILED percent"},
      {R"({"type":"PERCENT","percent":10.005})", "VALIDATION_FAILED percent"},
      {R"({"type":"PERCENT","percent":"10"})", "VALIDATION_FAILED percent"},
      {R"({"type":"AMOUNT","amountCents":1})", "ok"},
      {R"({"type":"AMOUNT","amountCents":0})", "VALIDATION_FAILED amountCents"},
      {R"({"type":"AMOUNT","percent":10})", "VALIDATION_FAILED amountCents"},
      {R"({"type":"OTHER"})", "VALIDATION_FAILED type"},
      {R"({"percent":10})", "VALIDATION_FAILED type"},
      {R"({"type":"PERCENT","percent":1,"scope":{"appliesToAll":false}})", "VALIDATION_FAILED scope.appliesToAll"},
      {R"({"type":"PERCENT","percent":1,"scope":{"appliesToAll":false,"roleIds":[]}})",
       "VALIDATION_FAILED scope.appliesToAll"},
      {R"({"type":"PERCENT","percent":1,"scope":{"appliesToAll":false,"roleIds":["r"]}})", "ok"},
      {R"({"type":"PERCENT","percent":1,"lifecycle":{"usageLimit":0}})", "VALIDATION_FAILED lifecycle.usageLimit"},
      {R"({"type":"PERCENT","percent":1,"lifecycle":{"startsAt":"2026-01-01T00:00:00Z","endsAt":"2026-01-01T00:00:00Z"}})",
       "VALIDATION_FAILED lifecycle.endsAt"},
      {R"({"type":"PERCENT","lifecycle":{"startsAt":"2026-01-02T00:00:00Z","endsAt":"2026-01-01T00:00:00Z"}})",
       "VALIDATION_FAILED percent lifecycle.endsAt"},
  };
  for (const auto& [json, expected] : cases) EXPECT_EQ(code_of([&] { made(json); }), expected) << json;
}

TEST(Discount, applies_to_all_unless_a_list_says_otherwise) {
  EXPECT_TRUE(made(R"({"type":"PERCENT","percent":1})").scope.applies_to_all);
  EXPECT_TRUE(made(R"({"type":"PERCENT","percent":1,"scope":{"productIds":[]}})").scope.applies_to_all);
  EXPECT_FALSE(made(R"({"type":"PERCENT","percent":1,"scope":{"productIds":["p"]}})").scope.applies_to_all);
  EXPECT_TRUE(
      made(R"({"type":"PERCENT","percent":1,"scope":{"productIds":["p"],"appliesToAll":true}})").scope.applies_to_all);
}

TEST(Discount, a_patch_merges_scope_and_lifecycle_field_by_field) {
  Discount discount = made(R"({"type":"PERCENT","percent":1,"lifecycle":{"usageLimit":5,"isActive":false}})");
  apply(from_json<DiscountPatch>(R"({"lifecycle":{"isActive":true},"scope":{"productIds":["p"]}})"), discount);
  EXPECT_EQ(discount.lifecycle.usage_limit, 5);
  EXPECT_TRUE(discount.lifecycle.is_active);
  EXPECT_FALSE(discount.scope.applies_to_all);
  apply(from_json<DiscountPatch>(R"({"scope":{"roleIds":["r"]}})"), discount);
  EXPECT_EQ(discount.scope.product_ids, std::vector<std::string>{"p"});
  apply(from_json<DiscountPatch>(R"({"scope":null,"lifecycle":{"usageLimit":null}})"), discount);
  EXPECT_TRUE(discount.scope.applies_to_all);
  EXPECT_FALSE(discount.lifecycle.usage_limit);
  EXPECT_EQ(code_of([&] { apply(from_json<DiscountPatch>(R"({"type":"AMOUNT"})"), discount); }),
            "VALIDATION_FAILED amountCents");
}

TEST(Discount, is_usable_while_active_within_its_time_and_below_its_limit) {
  Discount discount = made(R"({"type":"PERCENT","percent":1})");
  const auto verdict = [&] { return code_of([&] { require_usable(discount, noon); }); };
  EXPECT_EQ(verdict(), "ok");
  discount.lifecycle.starts_at = noon;
  EXPECT_EQ(verdict(), "ok");
  discount.lifecycle.starts_at = noon + std::chrono::milliseconds(1);
  EXPECT_EQ(verdict(), "DISCOUNT_NOT_STARTED");
  discount.lifecycle.starts_at.reset();
  discount.lifecycle.ends_at = noon + std::chrono::milliseconds(1);
  EXPECT_EQ(verdict(), "ok");
  discount.lifecycle.ends_at = noon;
  EXPECT_EQ(verdict(), "DISCOUNT_EXPIRED");
  discount.lifecycle.ends_at.reset();
  discount.lifecycle.usage_limit = 1;
  EXPECT_EQ(verdict(), "ok");
  discount.usage_count = 1;
  EXPECT_EQ(verdict(), "DISCOUNT_LIMIT_REACHED");
  discount.lifecycle.is_active = false;
  EXPECT_EQ(verdict(), "DISCOUNT_INACTIVE");
}

}  // namespace
}  // namespace guildhall
