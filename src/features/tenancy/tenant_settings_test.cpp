// The settings of a shop, and where its currency and time zone are used.
#include "support/test_server.h"

namespace guildhall {
namespace {

class ShopSettings : public test::OnEachPair {
 protected:
  test::HttpReply set(const std::string& body) { return shop.put(path, body); }

  std::string order_currency(const std::string& more = "") { return place(more).text("/currency"); }
  test::HttpReply place(const std::string& more, const std::string& item_currency = "") {
    return shop.post(
        "/api/data/order",
        fmt::format(R"({{"orderNumber":"{}","customer":{{"name":"Ada"}},"items":[{{"productId":"p","name":"Mug",)"
                    R"("sku":"MUG","quantity":1,"unitPriceCents":500{}}}]{}}})",
                    ++number, item_currency, more));
  }
  test::HttpReply add_product(const std::string& more = "") {
    return shop.post("/api/data/product",
                     fmt::format(R"({{"name":"Mug","sku":"MUG-{}","priceCents":500{}}})", ++number, more));
  }

  const std::string path = "/api/admin/settings";
  int number = 0;
  test::CheckedClient shop = server.admin();
};
INSTANTIATE_TEST_SUITE_P(Pairs, ShopSettings, test::engines, test::engine_name);

TEST_P(ShopSettings, of_currency_and_time_zone_are_versioned_and_audited) {
  const auto unset = shop.get(path);
  EXPECT_TRUE(unset.is_null("/currency"));
  EXPECT_TRUE(unset.is_null("/timeZone"));
  EXPECT_EQ(unset.text("/effectiveCurrency"), "USD");
  EXPECT_EQ(unset.text("/effectiveTimeZone"), "UTC");
  EXPECT_EQ(unset.header("etag"), "\"0\"");

  const auto chosen = shop.put(path, R"({"currency":"JPY","timeZone":"Asia/Tokyo"})", {{"If-Match", "\"0\""}});
  ASSERT_EQ(chosen.status, 200) << chosen.body;
  EXPECT_EQ(chosen.text("/effectiveCurrency"), "JPY");
  EXPECT_EQ(chosen.text("/timeZone"), "Asia/Tokyo");
  EXPECT_EQ(shop.get(path).body, chosen.body);
  EXPECT_EQ(shop.get(path).header("etag"), chosen.header("etag"));
  EXPECT_EQ(shop.put(path, R"({"currency":"EUR"})", {{"If-Match", "\"0\""}}).status, 412);
  EXPECT_EQ(set(R"({"currency":"JPY"})").header("etag"), chosen.header("etag")) << "nothing has changed";

  const auto entry = shop.get("/api/admin/audit?limit=1");
  EXPECT_EQ(entry.text("/items/0/changes/currency/after"), "JPY") << entry.body;
  EXPECT_EQ(entry.text("/items/0/changes/timeZone/after"), "Asia/Tokyo") << entry.body;
  EXPECT_EQ(set(R"({"currency":null,"timeZone":null})").text("/effectiveTimeZone"), "UTC");
}

TEST_P(ShopSettings, that_are_wrong_are_named) {
  for (const char* wrong :
       {R"({"currency":"eur","timeZone":"Berlin"})", R"({"currency":"XXX","timeZone":"europe/berlin"})",
        R"({"currency":"","timeZone":""})", R"({"currency":5,"timeZone":"../../etc/passwd"})"}) {
    const auto reply = set(wrong);
    EXPECT_EQ(reply.status, 400) << wrong;
    EXPECT_EQ(reply.wrong_fields(), (std::vector<std::string>{"currency", "timeZone"})) << wrong;
  }
}

TEST_P(ShopSettings, of_order_numbers) {
  const auto unset = shop.get(path);
  EXPECT_TRUE(unset.is_null("/orderNumberPrefix"));
  EXPECT_EQ(unset.integer("/orderNumberNext"), 1001);
  const auto chosen = set(R"({"orderNumberPrefix":"LG-","orderNumberNext":1421})");
  ASSERT_EQ(chosen.status, 200) << chosen.body;
  EXPECT_EQ(chosen.text("/orderNumberPrefix"), "LG-");
  EXPECT_EQ(shop.get(path).body, chosen.body);
  EXPECT_EQ(set(R"({"currency":"EUR"})").integer("/orderNumberNext"), 1421) << "another setting keeps it";
  EXPECT_EQ(set(R"({"orderNumberNext":1500})").integer("/orderNumberNext"), 1500);
  const auto wrong = set(R"({"orderNumberPrefix":"Nr 1","orderNumberNext":0})");
  EXPECT_EQ(wrong.status, 400);
  EXPECT_EQ(wrong.wrong_fields(), (std::vector<std::string>{"orderNumberNext", "orderNumberPrefix"})) << wrong.body;
  EXPECT_EQ(set(R"({"orderNumberPrefix":"ABCDEFGHIJKLMNOPQ"})").status, 400);
  EXPECT_TRUE(set(R"({"orderNumberPrefix":null})").is_null("/orderNumberPrefix"));
}

TEST_P(ShopSettings, are_read_by_staff_and_changed_by_admins_of_the_same_shop) {
  server.add_tenant("another");
  auto staff = server.member("default", "TenantStaff");
  auto other = server.admin("another");
  set(R"({"currency":"EUR"})");
  EXPECT_EQ(staff.get(path).text("/currency"), "EUR");
  EXPECT_EQ(staff.put(path, R"({"currency":"SEK"})").status, 403);
  EXPECT_EQ(other.get(path).text("/effectiveCurrency"), "USD");
  EXPECT_EQ(other.post("/api/data/product", R"({"name":"n","sku":"s","priceCents":1})").text("/currency"), "USD");
}

TEST_P(ShopSettings, give_new_orders_and_products_their_currency) {
  EXPECT_EQ(order_currency(), "USD");
  EXPECT_EQ(add_product().text("/currency"), "USD");
  set(R"({"currency":"EUR"})");
  EXPECT_EQ(order_currency(), "EUR");
  EXPECT_EQ(order_currency(R"(,"currency":null)"), "EUR");
  EXPECT_EQ(order_currency(R"(,"currency":"SEK")"), "SEK");
  const auto mug = add_product(), shirt = add_product(R"(,"currency":"SEK")");
  EXPECT_EQ(mug.text("/currency"), "EUR");
  EXPECT_EQ(shirt.text("/currency"), "SEK");
  EXPECT_EQ(shop.patch("/api/data/product/" + shirt.text("/id"), R"({"currency":null})").text("/currency"), "EUR");
  const auto order = place(R"(,"currency":"SEK")");
  EXPECT_EQ(shop.patch("/api/data/order/" + order.text("/id"), R"({"currency":null})").text("/currency"), "EUR");

  const auto quote = fmt::format(R"({{"items":[{{"productId":"{}","quantity":2}}]}})", mug.text("/id"));
  EXPECT_EQ(shop.post("/api/data/order/quote", quote).integer("/totalCents"), 1000);
  const auto mixed = place("", R"(,"currency":"USD")");
  EXPECT_EQ(mixed.status, 400);
  EXPECT_EQ(mixed.wrong_fields(), (std::vector<std::string>{"items[0].currency"}));
}

TEST_P(ShopSettings, give_reports_their_currency_and_days) {
  set(R"({"currency":"EUR","timeZone":"Pacific/Kiritimati"})");
  place(R"(,"status":"PAID")");
  place(R"(,"status":"PAID","currency":"USD")");
  const auto sales = shop.get("/api/admin/reports/sales");
  EXPECT_EQ(sales.text("/currency"), "EUR") << sales.body;
  EXPECT_EQ(sales.text("/timeZone"), "Pacific/Kiritimati");
  EXPECT_EQ(sales.integer("/totals/totalCents"), 500);
  EXPECT_EQ(shop.get("/api/admin/reports/stock").text("/currency"), "EUR");
  EXPECT_EQ(shop.get("/api/admin/reports/fund").text("/timeZone"), "Pacific/Kiritimati");
  const auto named = shop.get("/api/admin/reports/sales?currency=USD&timeZone=UTC");
  EXPECT_EQ(named.text("/timeZone"), "UTC");
  EXPECT_EQ(named.text("/currency"), "USD");
}

}  // namespace
}  // namespace guildhall
