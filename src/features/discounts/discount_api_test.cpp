#include "support/shop.h"
#include "support/test_server.h"

namespace guildhall {
namespace {

class Discounts : public test::OnEachPair {
 protected:
  test::CheckedClient shop = server.admin();
};
INSTANTIATE_TEST_SUITE_P(Pairs, Discounts, test::engines, test::engine_name);

TEST_P(Discounts, report_all_problems_at_once) {
  using Fields = std::vector<std::string>;
  const auto wrong = [&](const std::string& body) { return shop.post("/api/data/discount", body).wrong_fields(); };
  EXPECT_EQ(wrong(R"({"type":"AMOUNT","code":5,"scope":{"appliesToAll":false}})"),
            (Fields{"amountCents", "code", "scope.appliesToAll"}));
  EXPECT_EQ(wrong(R"({"type":"PERCENT","code":5,"lifecycle":{"startsAt":"2026-02-01T00:00:00Z",)"
                  R"("endsAt":"2026-01-01T00:00:00Z"}})"),
            (Fields{"code", "lifecycle.endsAt", "percent"}));
  EXPECT_EQ(wrong(R"({"type":"NONE"})"), Fields{"type"}) << "what follows from the type is not known";
  EXPECT_EQ(wrong(R"({"type":"PERCENT","percent":"x"})"), Fields{"percent"}) << "once is enough";
}

TEST_P(Discounts, report_all_problems_of_a_patch) {
  using Fields = std::vector<std::string>;
  const std::string id = test::created(shop, "discount", R"({"type":"PERCENT","percent":5,"scope":{"roleIds":["r"]}})");
  const auto wrong = [&](const std::string& which, const std::string& body) {
    const auto reply = shop.patch("/api/data/discount/" + which, body);
    EXPECT_EQ(reply.status, 400) << reply.body;
    return reply.wrong_fields();
  };
  EXPECT_EQ(wrong(id, R"({"type":"AMOUNT","code":5,"scope":{"roleIds":[]}})"),
            (Fields{"amountCents", "code", "scope.appliesToAll"}));
  EXPECT_EQ(wrong(id, R"({"type":"AMOUNT","amountCents":"x"})"), Fields{"amountCents"}) << "once is enough";
  EXPECT_EQ(wrong("unknown", R"({"code":5})"), Fields{"code"}) << "a wrong body comes before an unknown record";
  const auto both = shop.patch("/api/data/discount/" + id, R"({"type":"AMOUNT"})", {{"If-Match", "\"9\""}});
  EXPECT_EQ(both.status, 400) << "a wrong record comes before a stale one";
}

TEST_P(Discounts, never_apply_to_everything_because_a_list_was_emptied) {
  for (const std::string given : {R"({"productIds":["p"]})", R"({"productIds":["p"],"appliesToAll":false})"}) {
    const std::string path =
        "/api/data/discount/" +
        test::created(shop, "discount", R"({"type":"PERCENT","percent":50,"scope":)" + given + "}");
    for (const std::string emptied : {R"({"productIds":[]})", R"({"productIds":null})"}) {
      const auto refused = shop.patch(path, R"({"scope":)" + emptied + "}");
      EXPECT_EQ(refused.status, 400) << given << emptied;
      EXPECT_EQ(refused.wrong_fields(), std::vector<std::string>{"scope.appliesToAll"});
    }
    EXPECT_FALSE(shop.get(path).boolean("/scope/appliesToAll"));
    EXPECT_EQ(shop.patch(path, R"({"scope":{"productIds":[],"roleIds":["r"]}})").status, 200);
    EXPECT_TRUE(shop.patch(path, R"({"scope":{"roleIds":[],"appliesToAll":true}})").boolean("/scope/appliesToAll"));
    EXPECT_FALSE(shop.patch(path, R"({"scope":{"roleIds":["r"],"appliesToAll":null}})").boolean("/scope/appliesToAll"));
  }
}

TEST_P(Discounts, that_apply_to_all_by_default_are_limited_by_a_list_that_is_added) {
  const std::string path =
      "/api/data/discount/" + test::created(shop, "discount", R"({"type":"PERCENT","percent":50})");
  EXPECT_FALSE(shop.patch(path, R"({"scope":{"productIds":["p"]}})").boolean("/scope/appliesToAll"));
  const std::string chosen =
      "/api/data/discount/" +
      test::created(shop, "discount", R"({"type":"PERCENT","percent":50,"scope":{"appliesToAll":true}})");
  EXPECT_TRUE(shop.patch(chosen, R"({"scope":{"productIds":["p"]}})").boolean("/scope/appliesToAll"));
}

TEST_P(Discounts, are_created_read_changed_listed_and_deleted) {
  const auto made =
      shop.post("/api/data/discount", R"({"code":"Spring","type":"PERCENT","percent":12.50,"usageCount":7,)"
                                      R"("lifecycle":{"startsAt":"2026-01-01T01:00:00+01:00"}})");
  ASSERT_EQ(made.status, 201) << made.body;
  EXPECT_EQ(made.integer("/usageCount"), 0);
  EXPECT_NE(made.body.find(R"("percent":12.5,)"), std::string::npos) << made.body;
  EXPECT_EQ(made.text("/lifecycle/startsAt"), "2026-01-01T00:00:00.000Z");
  EXPECT_TRUE(made.boolean("/scope/appliesToAll"));
  EXPECT_TRUE(made.boolean("/lifecycle/isActive"));
  const std::string path = "/api/data/discount/" + made.text("/id");
  EXPECT_EQ(shop.get(path).body, made.body);
  const std::string tag = shop.get(path).header("etag");
  EXPECT_EQ(shop.patch(path, R"({"percent":20})", {{"If-Match", tag}}).status, 200);
  EXPECT_EQ(shop.patch(path, R"({"percent":30})", {{"If-Match", tag}}).status, 412);
  EXPECT_EQ(shop.get("/api/data/discount").size("/items"), 1u);
  EXPECT_EQ(shop.del(path).status, 204);
  EXPECT_EQ(shop.del(path).status, 404);
  EXPECT_EQ(shop.get(path).status, 404);
  EXPECT_EQ(shop.patch(path, "{}").status, 404);
  EXPECT_EQ(shop.get("/api/data/discount").size("/items"), 0u);
  test::created(shop, "discount", R"({"code":"SPRING","type":"AMOUNT","amountCents":5})");  // the code is free again
}

TEST_P(Discounts, have_a_code_of_their_own_whatever_its_case) {
  test::created(shop, "discount", R"({"code":"Frühling","type":"PERCENT","percent":1})");
  const auto twin = shop.post("/api/data/discount", R"({"code":"FRÜHLING","type":"PERCENT","percent":1})");
  EXPECT_EQ(twin.status, 400);
  EXPECT_EQ(twin.code(), "DISCOUNT_CODE_TAKEN");
  const std::string other = test::created(shop, "discount", R"({"code":"x","type":"PERCENT","percent":1})");
  EXPECT_EQ(shop.patch("/api/data/discount/" + other, R"({"code":"frühling"})").code(), "DISCOUNT_CODE_TAKEN");
  EXPECT_EQ(shop.patch("/api/data/discount/" + other, R"({"code":"X"})").status, 200);
  test::created(shop, "discount", R"({"type":"PERCENT","percent":1})");
  test::created(shop, "discount", R"({"type":"PERCENT","percent":1})");  // any number without one
}

TEST_P(Discounts, change_their_etag_with_every_use) {
  const std::string id = test::created(shop, "discount", R"({"code":"x","type":"PERCENT","percent":1})");
  const std::string tag = shop.get("/api/data/discount/" + id).header("etag");
  test::created(shop, "order", test::order_of("1", test::item("p", 1, 100), R"(,"discountCode":"X")"));
  EXPECT_EQ(shop.get("/api/data/discount/" + id, {{"If-None-Match", tag}}).status, 200);
  EXPECT_EQ(shop.patch("/api/data/discount/" + id, R"({"percent":2})", {{"If-Match", tag}}).status, 412);
}

}  // namespace
}  // namespace guildhall
