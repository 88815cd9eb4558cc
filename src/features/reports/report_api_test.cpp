#include "base/instant.h"
#include "storage/columns.h"
#include "support/eventually.h"
#include "support/shop.h"
#include "support/test_server.h"

namespace guildhall {
namespace {

using test::item, test::order_of;

class ReportApi : public test::OnEachPair {
 protected:
  // Creates an order that was paid at a time of the past.
  std::string paid(const std::string& time, const std::string& items, const std::string& rest = "") {
    const std::string id =
        test::created(shop, "order", order_of(fmt::format("N-{}", ++orders), items, R"(,"status":"PAID")" + rest));
    static const Sql move_sql("UPDATE orders SET paid_at = $3 WHERE tenant_id = $1 AND id = $2");
    server.write([&](Tx& tx) { tx.run({&move_sql, params(std::string("default"), id, parse_instant(time).value())}); });
    return id;
  }

  // Makes the totals follow the times that paid() has set.
  void rebuild() {
    shop.get("/api/admin/reports/sales");  // folds all entries
    ASSERT_EQ(shop.post("/api/admin/reports/rebuild", "").status, 202);
    ASSERT_TRUE(test::eventually([&] { return shop.get("/api/admin/reports/sales").status == 200; }));
  }

  test::HttpReply report(const std::string& rest) {
    auto reply = shop.get("/api/admin/reports/" + rest);
    EXPECT_EQ(reply.status, 200) << reply.body;
    return reply;
  }

  test::CheckedClient shop = server.admin();
  int orders = 0;
};
INSTANTIATE_TEST_SUITE_P(Pairs, ReportApi, test::engines, test::engine_name);

TEST_P(ReportApi, shows_every_figure_of_a_sale_and_its_refund) {
  const std::string discount = test::created(shop, "discount", R"({"code":"TEN","type":"PERCENT","percent":10})");
  const std::string customer =
      test::created(shop, "customer", R"({"chatId":"1","chatUsername":"ada","chatDisplayName":"Ada"})");
  const std::string product = test::product_with_stock(shop, "MUG", 10);
  const std::string order =
      test::created(shop, "order",
                    order_of("A", item(product, 2, 1000) + "," + item("gone", 1, 500),
                             fmt::format(R"(,"discountCode":"TEN","customerId":"{}")", customer)));
  EXPECT_EQ(report("sales").integer("/totals/orders"), 0) << "an unpaid order is no sale";
  ASSERT_EQ(shop.patch("/api/data/order/" + order, R"({"taxAmountCents":300,"status":"PAID"})").status, 200);

  auto sales = report("sales");
  EXPECT_EQ(sales.size("/items"), 30u);
  EXPECT_EQ(sales.integer("/totals/orders"), 1);
  EXPECT_EQ(sales.integer("/totals/units"), 3);
  EXPECT_EQ(sales.integer("/totals/grossCents"), 2500);
  EXPECT_EQ(sales.integer("/totals/discountCents"), 250);
  EXPECT_EQ(sales.integer("/totals/taxCents"), 300);
  EXPECT_EQ(sales.integer("/totals/adjustmentCents"), 0);
  EXPECT_EQ(sales.integer("/totals/totalCents"), 2550);
  EXPECT_EQ(sales.integer("/totals/netCents"), 2550);
  EXPECT_EQ(sales.text("/currencies/0"), "USD");

  ASSERT_EQ(shop.post("/api/data/order/" + order + "/refund", R"({"amountCents":550})").status, 201);
  sales = report("sales");
  EXPECT_EQ(sales.integer("/totals/refunds"), 1);
  EXPECT_EQ(sales.integer("/totals/refundCents"), 550);
  EXPECT_EQ(sales.integer("/totals/netCents"), 2000);

  const auto products = report("products");
  EXPECT_EQ(products.text("/items/0/productId"), product);
  EXPECT_EQ(products.text("/items/0/sku"), "MUG");
  EXPECT_EQ(products.integer("/items/0/units"), 2);
  EXPECT_EQ(products.integer("/items/0/discountCents"), 200);
  EXPECT_EQ(products.integer("/items/0/totalCents"), 1800);
  EXPECT_EQ(products.integer("/items/1/totalCents"), 450);
  EXPECT_TRUE(products.is_null("/items/1/name"));

  const auto customers = report("customers");
  EXPECT_EQ(customers.integer("/totals/newCustomers"), 1);
  EXPECT_EQ(customers.integer("/totals/returningOrders"), 0);
  EXPECT_EQ(customers.text("/best/0/name"), "Ada");
  EXPECT_EQ(customers.integer("/best/0/totalCents"), 2550);
  EXPECT_EQ(report("customers/best").text("/items/0/customerId"), customer);

  const auto discounts = report("discounts");
  EXPECT_EQ(discounts.text("/items/0/discountId"), discount);
  EXPECT_EQ(discounts.text("/items/0/code"), "TEN");
  EXPECT_EQ(discounts.integer("/items/0/discountCents"), 250);

  const auto methods = report("payment-methods");
  EXPECT_EQ(methods.text("/items/0/provider"), "MANUAL");
  EXPECT_EQ(methods.integer("/items/0/totalCents"), 2550);
  EXPECT_EQ(methods.integer("/items/0/refundCents"), 550);

  const auto tax = report("tax");
  EXPECT_EQ(tax.integer("/totals/beforeTaxCents"), 2250);
  EXPECT_EQ(tax.integer("/totals/taxCents"), 300);
}

TEST_P(ReportApi, shows_what_prices_set_by_hand_change) {
  const std::string product =
      test::created(shop, "product", R"({"sku":"M","name":"Mug","type":"PHYSICAL","priceCents":1250})");
  test::created(shop, "order", order_of("A", item(product, 2, 1000), R"(,"status":"PAID")"));
  test::created(shop, "order", order_of("B", item(product, 1, 1250), R"(,"status":"PAID")"));
  const auto sales = report("sales");
  EXPECT_EQ(sales.integer("/totals/grossCents"), 3250);
  EXPECT_EQ(sales.integer("/totals/overrideCents"), -500);
  EXPECT_EQ(report("products").integer("/items/0/overrideCents"), -500);
}

TEST_P(ReportApi, counts_a_paid_order_as_it_is_now_and_keeps_it_when_it_is_deleted) {
  const std::string order = test::created(shop, "order", order_of("A", item("p", 1, 100), R"(,"status":"PAID")"));
  EXPECT_EQ(report("sales").integer("/totals/totalCents"), 100);
  ASSERT_EQ(shop.patch("/api/data/order/" + order, R"({"totalCents":70})").status, 200);
  auto sales = report("sales");
  EXPECT_EQ(sales.integer("/totals/orders"), 1);
  EXPECT_EQ(sales.integer("/totals/totalCents"), 70);
  EXPECT_EQ(sales.integer("/totals/adjustmentCents"), -30);
  ASSERT_EQ(shop.del("/api/data/order/" + order).status, 204);
  EXPECT_EQ(report("sales").integer("/totals/totalCents"), 70);
}

TEST_P(ReportApi, takes_a_cancelled_order_that_was_paid_by_hand_for_refunded) {
  for (const char* status : {"CANCELLED", "REFUNDED"}) {
    const std::string order = test::created(shop, "order", order_of(status, item("p", 1, 100), R"(,"status":"PAID")"));
    ASSERT_EQ(shop.patch("/api/data/order/" + order, fmt::format(R"({{"status":"{}"}})", status)).status, 200);
  }
  const auto sales = report("sales");
  EXPECT_EQ(sales.integer("/totals/totalCents"), 200);
  EXPECT_EQ(sales.integer("/totals/refundCents"), 200);
  EXPECT_EQ(sales.integer("/totals/netCents"), 0);
}

TEST_P(ReportApi, puts_sales_into_the_days_weeks_and_months_of_the_time_zone) {
  paid("2026-03-28T22:59:59.999Z", item("p", 1, 1));  // Saturday in Berlin
  paid("2026-03-28T23:00:00Z", item("p", 1, 10));     // Sunday, which has 23 hours
  paid("2026-03-29T21:59:59Z", item("p", 1, 100));    // still Sunday
  paid("2026-03-29T22:00:00Z", item("p", 1, 1000));   // Monday
  paid("2026-03-31T18:20:00Z", item("p", 1, 10000));  // in Kathmandu already April
  rebuild();
  const std::string days = "sales?from=2026-03-28&to=2026-03-30&timeZone=Europe/Berlin";
  auto sales = report(days);
  ASSERT_EQ(sales.size("/items"), 3u);
  EXPECT_EQ(sales.integer("/items/0/totalCents"), 1);
  EXPECT_EQ(sales.integer("/items/1/totalCents"), 110);
  EXPECT_EQ(sales.integer("/items/2/totalCents"), 1000);
  EXPECT_EQ(sales.integer("/totals/totalCents"), 1111);
  sales = report(days + "&interval=week");
  ASSERT_EQ(sales.size("/items"), 2u);
  EXPECT_EQ(sales.text("/items/0/start"), "2026-03-23");
  EXPECT_EQ(sales.integer("/items/0/totalCents"), 111);
  sales = report("sales?from=2026-03-01&to=2026-04-30&interval=month&timeZone=Asia/Kathmandu");
  EXPECT_EQ(sales.integer("/items/0/totalCents"), 1111);
  EXPECT_EQ(sales.integer("/items/1/totalCents"), 10000);
  EXPECT_EQ(report("products?from=2026-04-01&to=2026-04-01&timeZone=Asia/Kathmandu").integer("/items/0/totalCents"),
            10000);
}

TEST_P(ReportApi, tells_new_customers_from_returning_ones) {
  const auto customer = [](const char* id) { return fmt::format(R"(,"customerId":"{}")", id); };
  paid("2026-01-10T12:00:00Z", item("p", 1, 1), customer("a"));
  paid("2026-02-10T12:00:00Z", item("p", 1, 1), customer("a"));
  paid("2026-02-11T12:00:00Z", item("p", 1, 1), customer("b"));
  paid("2026-02-12T12:00:00Z", item("p", 1, 1));
  rebuild();
  const auto customers = report("customers?from=2026-01-01&to=2026-02-28&interval=month");
  EXPECT_EQ(customers.integer("/items/0/newCustomers"), 1);
  EXPECT_EQ(customers.integer("/items/1/newCustomers"), 1);
  EXPECT_EQ(customers.integer("/items/1/returningOrders"), 1);
  EXPECT_EQ(customers.integer("/items/1/guestOrders"), 1);
  EXPECT_EQ(customers.integer("/totals/orders"), 4);
}

TEST_P(ReportApi, shows_the_fund) {
  ASSERT_EQ(shop.put("/api/admin/community-fund/config", R"({"enabled":true})").status, 200);
  const std::string customer =
      test::created(shop, "customer", R"({"chatId":"1","chatUsername":"ada","chatDisplayName":"Ada"})");
  ASSERT_EQ(shop.post("/api/admin/community-fund/contributions",
                      fmt::format(R"({{"customerId":"{}","amountCents":500}})", customer))
                .status,
            201);
  ASSERT_EQ(shop.post("/api/admin/community-fund/disbursements",
                      fmt::format(R"({{"recipientCustomerId":"{}","amountCents":200,"reason":"help"}})", customer))
                .status,
            201);
  const auto fund = report("fund?interval=month");
  EXPECT_EQ(fund.integer("/totals/contributions"), 1);
  EXPECT_EQ(fund.integer("/totals/contributedCents"), 500);
  EXPECT_EQ(fund.integer("/totals/disbursedCents"), 200);
  EXPECT_EQ(fund.integer("/totals/changeCents"), 300);
  EXPECT_EQ(fund.integer("/balanceCents"), 300);
}

TEST_P(ReportApi, shows_the_stock_and_its_value) {
  test::product_with_stock(shop, "NONE", 0);
  test::product_with_stock(shop, "FEW", 3);
  test::product_with_stock(shop, "MANY", 50);
  const auto stock = report("stock?threshold=3");
  ASSERT_EQ(stock.size("/items"), 2u);
  EXPECT_EQ(stock.text("/items/0/level"), "OUT");
  EXPECT_EQ(stock.text("/items/1/sku"), "FEW");
  EXPECT_EQ(stock.integer("/units"), 53);
  EXPECT_EQ(stock.integer("/valueCents"), 5300);
  EXPECT_EQ(report("stock?currency=EUR").integer("/units"), 0);
}

TEST_P(ReportApi, is_also_csv) {
  const std::string product = test::created(shop, "product", R"({"name":"=A1+1","sku":"a,b","priceCents":5})");
  test::created(shop, "order", order_of("A", item(product, 1, 5), R"(,"status":"PAID")"));
  test::HttpClient plain(shop);
  const auto by_parameter = plain.get("/api/admin/reports/products?format=csv");
  EXPECT_EQ(by_parameter.header("content-type"), "text/csv; charset=utf-8; header=present");
  EXPECT_EQ(by_parameter.body, fmt::format("productId,name,sku,orders,units,grossCents,discountCents,totalCents\r\n"
                                           "{},\"'=A1+1\",\"a,b\",1,1,5,0,5\r\n",
                                           product));
  const auto by_header = plain.send("GET", "/api/admin/reports/products", "", {{"Accept", "text/csv"}});
  EXPECT_EQ(by_header.body, by_parameter.body);
  for (const char* name :
       {"sales", "customers", "customers/best", "discounts", "payment-methods", "fund", "stock", "tax"}) {
    const auto reply = plain.get(fmt::format("/api/admin/reports/{}?format=csv", name));
    EXPECT_EQ(reply.status, 200) << name;
    EXPECT_NE(reply.body.find(","), std::string::npos) << name;
  }
}

TEST_P(ReportApi, names_every_wrong_parameter) {
  const auto reply = shop.get(
      "/api/admin/reports/sales?from=2026-02-30&to=x&interval=year&timeZone=Mars/Base&currency=usd&format=pdf");
  EXPECT_EQ(reply.status, 400);
  EXPECT_EQ(reply.size("/details"), 6u) << reply.body;
  EXPECT_EQ(shop.get("/api/admin/reports/sales?from=2026-02-02&to=2026-02-01").text("/details/0/field"), "to");
  EXPECT_EQ(shop.get("/api/admin/reports/sales?from=2020-01-01&to=2026-02-01").status, 400);
  EXPECT_EQ(shop.get("/api/admin/reports/products?limit=201").status, 400);
  EXPECT_EQ(shop.get("/api/admin/reports/stock?threshold=0").status, 400);
}

TEST_P(ReportApi, shows_no_other_tenants_figures) {
  test::created(shop, "order", order_of("A", item("p", 1, 100), R"(,"status":"PAID","customerId":"c")"));
  server.add_tenant("other");
  auto other = server.admin("other");
  for (const char* name : {"products", "customers/best", "discounts", "payment-methods", "stock"}) {
    EXPECT_EQ(other.get(fmt::format("/api/admin/reports/{}", name)).size("/items"), 0u) << name;
  }
  EXPECT_EQ(other.get("/api/admin/reports/sales").integer("/totals/orders"), 0);
  EXPECT_EQ(other.get("/api/admin/reports/sales").size("/currencies"), 0u);
  EXPECT_EQ(other.get("/api/admin/reports/customers").integer("/totals/newCustomers"), 0);
  EXPECT_EQ(server.member("default", "data.read", "data.write").get("/api/admin/reports/sales").status, 403);
  EXPECT_EQ(server.member("default", "TenantAdmin").post("/api/admin/reports/rebuild", "").status, 403);
}

TEST_P(ReportApi, refuses_a_sum_that_json_cannot_show_exactly) {
  for (int i = 0; i < 3; ++i) {
    test::created(shop, "order",
                  order_of(std::to_string(i), item("p", 1, 9'007'199'254'740'000), R"(,"status":"PAID")"));
  }
  EXPECT_EQ(shop.get("/api/admin/reports/sales").code(), "AMOUNT_OUT_OF_RANGE");
  EXPECT_EQ(report("sales?currency=EUR").integer("/totals/orders"), 0);
}

}  // namespace
}  // namespace guildhall
