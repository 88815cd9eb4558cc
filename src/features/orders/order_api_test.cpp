#include <fmt/format.h>

#include "support/test_server.h"

namespace guildhall {
namespace {

class Orders : public test::OnEachPair {
 protected:
  test::CheckedClient shop = server.admin();

  static std::string order(const std::string& number, const std::string& rest = "") {
    return fmt::format(R"({{"orderNumber":"{}","customer":{{"name":"Ada"}},"items":[)"
                       R"({{"productId":"p1","name":"Mug","sku":"MUG","quantity":2,"unitPriceCents":1250}},)"
                       R"({{"productId":"p2","name":"Pin","sku":"PIN","quantity":1,"unitPriceCents":333}}]{}}})",
                       number, rest);
  }
};
INSTANTIATE_TEST_SUITE_P(Pairs, Orders, test::engines, test::engine_name);

TEST_P(Orders, are_priced_stored_read_changed_and_hidden) {
  const auto made = shop.post("/api/data/order", order("A-1"));
  ASSERT_EQ(made.status, 201) << made.body;
  EXPECT_EQ(made.integer("/subtotalCents"), 2833);
  EXPECT_EQ(made.integer("/totalCents"), 2833);
  EXPECT_EQ(made.integer("/discountAmountCents"), 0);
  EXPECT_EQ(made.text("/status"), "PENDING_PAYMENT");
  EXPECT_EQ(made.text("/shippingStatus"), "PENDING");
  EXPECT_EQ(made.text("/items/0/currency"), "USD");
  const std::string path = "/api/data/order/" + made.text("/id");
  EXPECT_EQ(shop.get(path).body, made.body);

  const auto changed = shop.patch(path, R"({"taxAmountCents":100,"notes":"soon"})");
  ASSERT_EQ(changed.status, 200) << changed.body;
  EXPECT_EQ(changed.integer("/totalCents"), 2933);

  EXPECT_EQ(shop.post("/api/data/order", order("A-1")).code(), "ORDER_NUMBER_TAKEN");
  EXPECT_EQ(shop.del(path).status, 204);
  EXPECT_EQ(shop.get(path).status, 404);
  EXPECT_EQ(shop.del(path).status, 404);
  EXPECT_EQ(shop.post("/api/data/order", order("A-1")).status, 201);
}

TEST_P(Orders, take_a_discount_and_stock) {
  const auto product =
      shop.post("/api/data/product", R"({"name":"Mug","sku":"MUG","priceCents":1000,"stockQuantity":3})");
  ASSERT_EQ(product.status, 201) << product.body;
  const auto discount = shop.post("/api/data/discount",
                                  R"({"code":"Spring","type":"PERCENT","percent":12.5,"lifecycle":{"usageLimit":1}})");
  ASSERT_EQ(discount.status, 201) << discount.body;
  const std::string body =
      fmt::format(R"({{"orderNumber":"S-1","customer":{{"name":"Ada"}},"discountCode":"sPRING","items":[)"
                  R"({{"productId":"{}","name":"Mug","sku":"MUG","quantity":2,"unitPriceCents":1001}}]}})",
                  product.text("/id"));
  const auto made = shop.post("/api/data/order", body);
  ASSERT_EQ(made.status, 201) << made.body;
  EXPECT_EQ(made.integer("/discountAmountCents"), 250);  // 250.25
  EXPECT_EQ(made.text("/discountId"), discount.text("/id"));
  EXPECT_EQ(shop.get("/api/data/product/" + product.text("/id")).integer("/stockQuantity"), 1);
  EXPECT_EQ(shop.get("/api/data/discount/" + discount.text("/id")).integer("/usageCount"), 1);

  const auto cancelled = shop.patch("/api/data/order/" + made.text("/id"), R"({"status":"CANCELLED"})");
  ASSERT_EQ(cancelled.status, 200) << cancelled.body;
  EXPECT_EQ(shop.get("/api/data/product/" + product.text("/id")).integer("/stockQuantity"), 3);
  EXPECT_EQ(shop.get("/api/data/discount/" + discount.text("/id")).integer("/usageCount"), 0);
}

}  // namespace
}  // namespace guildhall
