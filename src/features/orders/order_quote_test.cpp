#include <gtest/gtest.h>

#include "support/shop.h"
#include "support/test_server.h"

namespace guildhall {
namespace {

using test::created, test::item;

class OrderQuote : public test::OnEachPair {
 protected:
  test::CheckedClient shop = server.admin();
};
INSTANTIATE_TEST_SUITE_P(Pairs, OrderQuote, test::engines, test::engine_name);

TEST_P(OrderQuote, has_the_price_of_an_order_and_stores_nothing) {
  const std::string mug = created(shop, "product", R"({"name":"Mug","sku":"M","priceCents":1500,"stockQuantity":1})");
  const std::string ten =
      created(shop, "discount", R"({"code":"ten","type":"PERCENT","percent":10,"lifecycle":{"usageLimit":1}})");
  const auto quote = shop.post("/api/data/order/quote",
                               R"({"items":[{"productId":")" + mug + R"(","quantity":2}],"discountCode":"TEN"})");
  ASSERT_EQ(quote.status, 200) << quote.body;
  EXPECT_EQ(quote.integer("/subtotalCents"), 3000);
  EXPECT_EQ(quote.integer("/discountAmountCents"), 300);
  EXPECT_EQ(quote.integer("/totalCents"), 2700);
  EXPECT_EQ(quote.text("/discount/discountId"), ten);
  EXPECT_EQ(quote.text("/steps/0/text"), "2 × Mug at $15.00.");
  EXPECT_EQ(shop.get("/api/data/order").size("/items"), 0U);
  EXPECT_EQ(shop.get("/api/data/product/" + mug).integer("/stockQuantity"), 1);
  EXPECT_EQ(shop.get("/api/data/discount/" + ten).integer("/usageCount"), 0);
}

TEST_P(OrderQuote, says_why_a_discount_does_not_apply) {
  created(shop, "discount",
          R"({"code":"vip","type":"PERCENT","percent":10,"scope":{"appliesToAll":false,"roleIds":["7"]}})");
  const std::string items = R"({"items":[)" + item("p", 1, 1000) + R"(],"discountCode":"vip")";
  EXPECT_EQ(shop.post("/api/data/order/quote", items + "}").code(), "DISCOUNT_NOT_ELIGIBLE");
  EXPECT_EQ(shop.post("/api/data/order/quote", items + R"(,"customerRoleIds":["7"]})").integer("/totalCents"), 900);
  EXPECT_EQ(
      shop.post("/api/data/order/quote", R"({"items":[)" + item("p", 1, 1000) + R"(],"discountCode":"no"})").code(),
      "DISCOUNT_NOT_FOUND");
}

TEST_P(OrderQuote, names_every_wrong_field) {
  const auto reply = shop.post("/api/data/order/quote", R"({"items":[{"productId":"","quantity":0}],"currency":"X"})");
  EXPECT_EQ(reply.status, 400);
  EXPECT_GE(reply.size("/details"), 3U) << reply.body;
}

}  // namespace
}  // namespace guildhall
