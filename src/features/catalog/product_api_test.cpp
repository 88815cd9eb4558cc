#include "support/shop.h"
#include "support/test_server.h"

namespace guildhall {
namespace {

class Products : public test::OnEachPair {
 protected:
  test::CheckedClient shop = server.admin();
};
INSTANTIATE_TEST_SUITE_P(Pairs, Products, test::engines, test::engine_name);

TEST_P(Products, are_created_with_defaults_read_changed_listed_and_deleted) {
  const auto made = shop.post("/api/data/product", R"({"name":"Mug","sku":"MUG","priceCents":1250,"id":"x"})");
  ASSERT_EQ(made.status, 201) << made.body;
  EXPECT_NE(made.text("/id"), "x");
  EXPECT_EQ(made.text("/tenantId"), "default");
  EXPECT_EQ(made.text("/currency"), "USD");
  EXPECT_TRUE(made.boolean("/isActive"));
  EXPECT_TRUE(made.boolean("/inventoryTracked"));
  EXPECT_FALSE(made.boolean("/isDigital"));
  EXPECT_TRUE(made.is_null("/stockQuantity"));
  EXPECT_EQ(made.size("/requiredRoleIds"), 0u);
  const std::string path = "/api/data/product/" + made.text("/id");
  const auto read = shop.get(path);
  EXPECT_EQ(read.body, made.body);
  ASSERT_NE(read.header("etag"), "");

  const auto changed = shop.patch(path, R"({"stockQuantity":5,"isActive":false,"description":"blue"})",
                                  {{"If-Match", read.header("etag")}});
  ASSERT_EQ(changed.status, 200) << changed.body;
  EXPECT_EQ(changed.integer("/stockQuantity"), 5);
  EXPECT_EQ(shop.patch(path, R"({"name":"Cup"})", {{"If-Match", read.header("etag")}}).status, 412);
  const auto cleared = shop.patch(path, R"({"stockQuantity":null,"isActive":null,"description":null})");
  EXPECT_TRUE(cleared.is_null("/stockQuantity"));
  EXPECT_TRUE(cleared.boolean("/isActive"));
  EXPECT_TRUE(cleared.is_null("/description"));

  test::created(shop, "product", R"({"name":"Pin","sku":"PIN","priceCents":0})");
  const auto page = shop.get("/api/data/product?limit=1");
  EXPECT_EQ(page.text("/items/0/sku"), "PIN");
  const auto next = shop.get("/api/data/product?limit=1&cursor=" + page.text("/nextCursor"));
  EXPECT_EQ(next.text("/items/0/sku"), "MUG");
  EXPECT_TRUE(next.is_null("/nextCursor"));

  EXPECT_EQ(shop.del(path, {{"If-Match", "\"0\""}}).status, 412);
  EXPECT_EQ(shop.del(path).status, 204);
  EXPECT_EQ(shop.get(path).status, 404);
}

TEST_P(Products, can_be_listed_by_whether_they_are_memberships) {
  test::created(shop, "product", R"({"name":"Mug","sku":"MUG","priceCents":1})");
  test::created(shop, "product", R"({"name":"VIP","sku":"VIP","priceCents":1,"membership":{"periodMonths":1}})");
  const auto members = shop.get("/api/data/product?isMembership=true");
  ASSERT_EQ(members.size("/items"), 1u) << members.body;
  EXPECT_EQ(members.text("/items/0/sku"), "VIP");
  const auto others = shop.get("/api/data/product?isMembership=false");
  ASSERT_EQ(others.size("/items"), 1u) << others.body;
  EXPECT_EQ(others.text("/items/0/sku"), "MUG");
}

TEST_P(Products, have_a_sku_of_their_own) {
  test::created(shop, "product", R"({"name":"Mug","sku":"MUG","priceCents":1})");
  const auto twin = shop.post("/api/data/product", R"({"name":"Mug","sku":"MUG","priceCents":1})");
  EXPECT_EQ(twin.status, 400);
  EXPECT_EQ(twin.code(), "SKU_TAKEN");
  const std::string other = test::created(shop, "product", R"({"name":"Pin","sku":"PIN","priceCents":1})");
  EXPECT_EQ(shop.patch("/api/data/product/" + other, R"({"sku":"MUG"})").code(), "SKU_TAKEN");
  server.add_tenant("another");
  auto neighbour = server.admin("another");
  EXPECT_EQ(neighbour.post("/api/data/product", R"({"name":"Mug","sku":"MUG","priceCents":1})").status, 201);
  EXPECT_EQ(neighbour.get("/api/data/product/" + other).status, 404);
}

TEST_P(Products, name_every_wrong_field) {
  const auto refused = shop.post(
      "/api/data/product",
      R"({"name":" ","priceCents":-1,"currency":"usd","isDigital":"no","stockQuantity":1.5,"requiredRoleIds":"r"})");
  EXPECT_EQ(refused.status, 400);
  EXPECT_EQ(refused.code(), "VALIDATION_FAILED");
  EXPECT_EQ(refused.wrong_fields(), (std::vector<std::string>{"currency", "isDigital", "name", "priceCents",
                                                              "requiredRoleIds", "sku", "stockQuantity"}));
  const std::string id = test::created(shop, "product", R"({"name":"Mug","sku":"MUG","priceCents":1})");
  EXPECT_EQ(shop.patch("/api/data/product/" + id, R"({"name":null,"priceCents":null})").wrong_fields(),
            (std::vector<std::string>{"name", "priceCents"}));
}

}  // namespace
}  // namespace guildhall
