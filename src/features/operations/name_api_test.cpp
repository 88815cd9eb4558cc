#include <gtest/gtest.h>

#include "support/shop.h"
#include "support/test_server.h"

namespace guildhall {
namespace {

using test::CheckedClient, test::HttpReply;

class Names : public test::OnEachPair {
 protected:
  CheckedClient admin = server.admin();
};
INSTANTIATE_TEST_SUITE_P(Pairs, Names, test::engines, test::engine_name);

TEST_P(Names, are_found_by_the_ids_of_own_records_only) {
  const std::string product =
      admin.post("/api/data/product", R"({"name":"Mug","sku":"MUG","priceCents":100})").text("/id");
  const std::string customer =
      admin.post("/api/data/customer", R"({"chatId":"1","chatUsername":"mia","chatDisplayName":"Mia"})").text("/id");
  const std::string user = admin.post("/api/data/user", R"({"username":"ada","displayName":"Ada"})").text("/id");
  const std::string token = admin.post("/api/admin/tokens", R"({"name":"Export","keys":["data.read"]})").text("/id");
  const std::string order = test::created(admin, "order", test::order_of("A-1", test::item(product, 1, 100)));
  server.add_tenant("another");
  auto neighbour = server.member("another", "TenantAdmin");
  for (const auto& [kind, id, name] : {std::tuple("product", product, "Mug"), std::tuple("customer", customer, "Mia"),
                                       std::tuple("member", std::string("1"), "Mia"), std::tuple("user", user, "Ada"),
                                       std::tuple("token", token, "Export"), std::tuple("order", order, "A-1")}) {
    const std::string path = fmt::format("/api/data/name?kind={}&ids=unknown,{}", kind, id);
    const HttpReply found = admin.get(path);
    ASSERT_EQ(found.size("/items"), 1u) << found.body;
    EXPECT_EQ(found.text("/items/0/id"), id);
    EXPECT_EQ(found.text("/items/0/name"), name);
    EXPECT_EQ(found.text("/items/0/currency"), id == product || id == order ? "USD" : "") << kind;
    EXPECT_EQ(neighbour.get(path).size("/items"), 0u) << kind;
  }
  ASSERT_EQ(admin.del("/api/data/order/" + order).status, 204);
  EXPECT_EQ(admin.get("/api/data/name?kind=order&ids=" + order).size("/items"), 0u);
}

TEST_P(Names, of_tokens_need_the_permission_to_list_tokens) {
  const std::string token = admin.post("/api/admin/tokens", R"({"name":"Export","keys":["data.read"]})").text("/id");
  auto staff = server.member("default", "TenantStaff");
  EXPECT_EQ(staff.get("/api/data/name?kind=token&ids=" + token).code(), "PERMISSION_DENIED");
  EXPECT_EQ(staff.get("/api/data/name?kind=user&ids=" + token).status, 200);
}

TEST_P(Names, of_too_many_or_no_ids_are_refused) {
  std::string ids = "x";
  for (int i = 1; i < 100; ++i) ids += ",x";
  EXPECT_EQ(admin.get("/api/data/name?kind=user&ids=" + ids).status, 200);
  for (const std::string& wrong : {"kind=user&ids=" + ids + ",x", std::string("kind=user"), "kind=tenant&ids=" + ids}) {
    EXPECT_EQ(admin.get("/api/data/name?" + wrong).status, 400) << wrong;
  }
}

}  // namespace
}  // namespace guildhall
