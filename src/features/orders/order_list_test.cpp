#include <deque>

#include "support/eventually.h"
#include "support/shop.h"
#include "support/test_server.h"

namespace guildhall {
namespace {

using test::created, test::item, test::order_of, test::HttpReply;

using Numbers = std::vector<std::string>;

class OrderLists : public test::OnEachPair {
 protected:
  const std::string all = "/api/data/order";
  test::CheckedClient shop = server.admin();

  std::string place(const std::string& number, const std::string& items, const std::string& rest = "") {
    return created(shop, "order", order_of(number, items, rest));
  }

  // The numbers on all pages of a list, in order.
  Numbers numbers(const std::string& query, int limit = 2) {
    Numbers found;
    std::string cursor;
    for (int pages = 0; pages < 100; ++pages) {
      const HttpReply page = shop.get(fmt::format("{}?limit={}&{}{}", all, limit, query, cursor));
      EXPECT_EQ(page.status, 200) << query << page.body;
      for (std::size_t i = 0; i < page.size("/items"); ++i) {
        found.push_back(page.text(fmt::format("/items/{}/orderNumber", i)));
      }
      if (page.status != 200 || page.is_null("/nextCursor")) return found;
      cursor = "&cursor=" + page.text("/nextCursor");
    }
    ADD_FAILURE() << query << " never ends";
    return found;
  }

  void run(const std::string& text, std::vector<Value> values) {
    static std::deque<Sql> statements;  // a statement's address is its identity
    const Sql& sql = statements.emplace_back(text);
    server.write([&](Tx& tx) { tx.run({&sql, values}); });
  }

  void pay(const std::string& order, const std::string& provider, const std::string& status) {
    run("INSERT INTO payments (id, tenant_id, order_id, provider, status, amount_cents, currency, expected_cents,"
        " expected_currency, refunded_cents, created_at, updated_at, version)"
        " VALUES ($1, 'default', $2, $3, $4, 1, 'USD', 1, 'USD', 0, 1, 1, 1)",
        {fmt::format("payment-{}", ++payments), order, provider, status});
  }

  // Copies an order often, with a lower time for each copy.
  void copy(const std::string& order, std::int64_t copies) {
    const std::string digits =
        "(SELECT 0 AS n UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4"
        " UNION ALL SELECT 5 UNION ALL SELECT 6 UNION ALL SELECT 7 UNION ALL SELECT 8 UNION ALL SELECT 9)";
    std::string columns, values;
    for (const std::string_view column : {"tenant_id",
                                          "status",
                                          "shipping_status",
                                          "items",
                                          "currency",
                                          "customer",
                                          "customer_role_ids",
                                          "subtotal_cents",
                                          "discount_amount_cents",
                                          "tax_amount_cents",
                                          "total_cents",
                                          "anonymous_contribution",
                                          "updated_at",
                                          "version",
                                          "pricing",
                                          "stock_taken",
                                          "use_counted",
                                          "search",
                                          "is_open",
                                          "search_text"}) {
      columns += fmt::format(", {}", column);
      values += fmt::format(", o.{}", column);
    }
    run(fmt::format(
            "INSERT INTO orders (id, order_number, created_at{0}) SELECT substr(o.id, 1, 24) || CAST(c.n AS text),"
            " 'copy-' || CAST(c.n AS text), o.created_at - c.n{1} FROM orders o, (SELECT 100000000000 + a.n + 10 *"
            " b.n + 100 * c.n + 1000 * d.n + 10000 * e.n AS n FROM {2} a, {2} b, {2} c, {2} d, {2} e) c"
            " WHERE o.tenant_id = 'default' AND o.id = $1 AND c.n < 100000000000 + $2",
            columns, values, digits),
        {order, copies});
    run("UPDATE order_counters SET orders = orders + $1 WHERE tenant_id = 'default' AND status ="
        " (SELECT status FROM orders WHERE tenant_id = 'default' AND id = $2) AND slot ="
        " (SELECT MIN(slot) FROM order_counters c WHERE c.tenant_id = 'default' AND c.status = order_counters.status)",
        {copies, order});
  }

  int payments = 0;
};
INSTANTIATE_TEST_SUITE_P(Pairs, OrderLists, test::engines, test::engine_name);

TEST_P(OrderLists, have_a_filter_for_everything_that_an_owner_asks) {
  const std::string discount = created(shop, "discount", R"({"code":"TEN","type":"PERCENT","percent":10})");
  const std::string customer = R"(,"customerId":"c-1")";
  const std::string first = place("A-1", item("p-1", 1, 1000), customer);
  const std::string second = place("A-2", item("p-2", 1, 2000) + "," + item("p-1", 1, 1), R"(,"status":"PAID")");
  place("A-3", item("p-3", 1, 3000), R"(,"status":"CANCELLED","shippingStatus":"FAILED")");
  place("A-4", item("p-2", 2, 2000), R"(,"discountCode":"ten","customerId":"c-2")");
  place("A-5", item("p-1", 1, 1000), customer);
  pay(first, "WALLET", "EXPIRED");
  pay(first, "WALLET", "EXPIRED");
  pay(first, "APPPAY", "PAID");
  pay(second, "WALLET", "PAID");
  pay(second, "CRYPTO_GATEWAY", "FAILED");
  pay("", "WALLET", "PAID");
  struct Case {
    std::string query;
    Numbers expected;
  };
  const Case cases[] = {
      {"", {"A-5", "A-4", "A-3", "A-2", "A-1"}},
      {"status=PAID", {"A-2"}},
      {"status=PAID,CANCELLED", {"A-3", "A-2"}},
      {"status=CANCELLED&status=PAID", {"A-3", "A-2"}},
      {"status=REFUNDED", {}},
      {"status=", {"A-5", "A-4", "A-3", "A-2", "A-1"}},
      {"shippingStatus=FAILED", {"A-3"}},
      {"shippingStatus=PENDING,FAILED", {"A-5", "A-4", "A-3", "A-2", "A-1"}},
      {"customerId=c-1", {"A-5", "A-1"}},
      {"customerId=nobody", {}},
      {"productId=p-1", {"A-5", "A-2", "A-1"}},
      {"productId=p-2", {"A-4", "A-2"}},
      {"discountId=" + discount, {"A-4"}},
      {"paymentMethod=WALLET", {"A-2", "A-1"}},
      {"paymentMethod=BTC_GATEWAY", {"A-2"}},
      {"paymentStatus=PAID", {"A-2", "A-1"}},
      {"paymentStatus=EXPIRED", {"A-1"}},
      {"paymentMethod=WALLET&paymentStatus=PAID", {"A-2"}},
      {"createdFrom=2020-01-01T00:00:00Z", {"A-5", "A-4", "A-3", "A-2", "A-1"}},
      {"createdTo=2020-01-01T00:00:00Z", {}},
      {"totalMin=2001", {"A-4", "A-3", "A-2"}},
      {"totalMin=2001&totalMax=3000", {"A-3", "A-2"}},
      {"totalMax=1000", {"A-5", "A-1"}},
      {"totalMin=3000&sort=totalCents", {"A-3", "A-4"}},
      {"search=a-3", {"A-3"}},
      {"search=ADA", {"A-5", "A-4", "A-3", "A-2", "A-1"}},
      {"search=%25", {}},
      {"search=_-1", {}},
      // Combinations.
      {"customerId=c-1&productId=p-1&status=PENDING_PAYMENT", {"A-5", "A-1"}},
      {"productId=p-1&status=PAID", {"A-2"}},
      {"status=PENDING_PAYMENT,PAID&totalMin=2001", {"A-4", "A-2"}},
      {"status=PENDING_PAYMENT&sort=totalCents", {"A-1", "A-5", "A-4"}},
      {"customerId=c-1&sort=-orderNumber", {"A-5", "A-1"}},
      {"customerId=c-1&sort=orderNumber", {"A-1", "A-5"}},
      {"productId=p-1&sort=-totalCents", {"A-2", "A-5", "A-1"}},
      {"search=a-&paymentMethod=WALLET&sort=createdAt", {"A-1", "A-2"}},
      {"search=a-&createdTo=2020-01-01T00:00:00Z", {}},
      {"customerId=c-1&createdTo=2020-01-01T00:00:00Z", {}},
      {"customerId=c-1&createdTo=2020-01-01T00:00:00Z&sort=totalCents", {}},
      {"customerId=c-1&createdFrom=2020-01-01T00:00:00Z&sort=totalCents", {"A-1", "A-5"}},
      {"productId=p-1&createdTo=2020-01-01T00:00:00Z", {}},
      {"paymentStatus=PAID&status=PAID", {"A-2"}},
      {"totalMin=1001&sort=-orderNumber", {"A-4", "A-3", "A-2"}},
  };
  for (const Case& each : cases) {
    EXPECT_EQ(numbers(each.query), each.expected) << each.query;
    EXPECT_EQ(numbers(each.query, 1), each.expected) << each.query;
    EXPECT_EQ(numbers(each.query, 200), each.expected) << each.query;
    const HttpReply counted = shop.get(all + "?limit=1&total=true&" + each.query);
    EXPECT_EQ(counted.integer("/total"), std::ssize(each.expected)) << each.query;
    EXPECT_FALSE(counted.boolean("/totalIsAtLeast")) << each.query;
  }
  EXPECT_EQ(shop.get(all).body.find("total\":"), std::string::npos) << "only a request that asks for it gets a total";
}

TEST_P(OrderLists, are_searched_by_number_and_customer_without_case) {
  const auto customer = [](const std::string& json) {
    return R"({"orderNumber":"{}","items":[)" + item("p", 1, 1) + R"(],"customer":)" + json + "}";
  };
  std::string body = customer(R"({"name":"Zoë Ångström 100%","email":"Zoe@Example.org","chatId":"chat_77"})");
  body.replace(body.find("{}"), 2, "INV-ÄÖ1");
  const std::string id = created(shop, "order", body);
  place("B-2", item("p", 1, 1));
  for (const char* found :
       {"inv-", "INV-%C3%A4%C3%B61", "zo%C3%AB", "%C3%85NGSTR%C3%96M", "EXAMPLE.ORG", "CHAT_77", "100%25"}) {
    EXPECT_EQ(numbers(std::string("search=") + found), Numbers{"INV-ÄÖ1"}) << found;
  }
  for (const char* missing : {"chatx77", "1%25"})
    EXPECT_EQ(numbers(std::string("search=") + missing), Numbers{}) << missing;
  ASSERT_EQ(shop.patch("/api/data/order/" + id, R"({"customer":{"name":"Grace"}})").status, 200);
  EXPECT_EQ(numbers("search=grace"), Numbers{"INV-ÄÖ1"});
  EXPECT_EQ(numbers("search=example.org"), Numbers{});
}

TEST_P(OrderLists, follow_the_changes_of_an_order) {
  const std::string path = "/api/data/order/" + place("1", item("p-1", 1, 1) + "," + item("p-2", 1, 1));
  ASSERT_EQ(shop.patch(path, "{\"items\":[" + item("p-2", 1, 1) + "," + item("p-3", 5, 1) + "]}").status, 200);
  EXPECT_EQ(numbers("productId=p-1"), Numbers{});
  EXPECT_EQ(numbers("productId=p-2"), Numbers{"1"});
  EXPECT_EQ(numbers("productId=p-3"), Numbers{"1"});
  ASSERT_EQ(shop.del(path).status, 204);
  EXPECT_EQ(numbers("productId=p-2"), Numbers{});
  EXPECT_EQ(numbers("search=1"), Numbers{});
}

TEST_P(OrderLists, are_sorted_and_paged_across_ties) {
  for (int i = 0; i < 9; ++i) place(fmt::format("N-{}", i), item("p", 1, 100 * (i / 4)));
  run("UPDATE orders SET created_at = 5000 + 1000 * (total_cents / 100) WHERE tenant_id = $1",
      {std::string("default")});
  Numbers by_number;
  for (int i = 0; i < 9; ++i) by_number.push_back(fmt::format("N-{}", i));
  const Numbers reversed(by_number.rbegin(), by_number.rend());
  // Orders with the same value follow by their ids, in the direction of the list.
  for (const char* sort : {"createdAt", "totalCents", "orderNumber"}) {
    for (const int limit : {1, 2, 3, 4, 5, 9}) {
      EXPECT_EQ(numbers(fmt::format("sort={}", sort), limit), by_number) << sort << limit;
      EXPECT_EQ(numbers(fmt::format("sort=-{}", sort), limit), reversed) << sort << limit;
      EXPECT_EQ(numbers(fmt::format("sort=-{}&status=PENDING_PAYMENT", sort), limit), reversed) << sort << limit;
      EXPECT_EQ(numbers(fmt::format("sort={}&productId=p", sort), limit), by_number) << sort << limit;
      EXPECT_EQ(numbers(fmt::format("sort={}&status=PENDING_PAYMENT,PAID", sort), limit), by_number) << sort << limit;
    }
  }
  EXPECT_EQ(numbers("createdFrom=1970-01-01T00:00:06Z&createdTo=1970-01-01T00:00:06Z&sort=createdAt"),
            (Numbers{"N-4", "N-5", "N-6", "N-7"}));
  EXPECT_EQ(numbers("createdFrom=1970-01-01T00:00:06Z&createdTo=1970-01-01T00:00:06Z"),
            (Numbers{"N-7", "N-6", "N-5", "N-4"}));
}

TEST_P(OrderLists, name_every_wrong_parameter) {
  const HttpReply refused =
      shop.get(all +
               "?status=NEW&shippingStatus=PENDING,&paymentMethod=CASH&paymentStatus=paid&createdFrom=today&createdTo=1"
               "&totalMin=-1&totalMax=x&sort=price&limit=201&cursor=x&total=yes&search=" +
               std::string(201, 'x'));
  EXPECT_EQ(refused.status, 400);
  EXPECT_EQ(refused.wrong_fields(),
            (std::vector<std::string>{"createdFrom", "createdTo", "cursor", "limit", "paymentMethod", "paymentStatus",
                                      "search", "shippingStatus", "sort", "status", "total", "totalMax", "totalMin"}));
  EXPECT_EQ(shop.get(all + "?limit=1&limit=2&customerId=a&customerId=b").wrong_fields(),
            (std::vector<std::string>{"customerId", "limit"}));
  EXPECT_EQ(shop.get(all + "?colour=red&colour=blue").status, 200);
  const HttpReply strict = shop.get(all + "?colour=red&status=NEW", {{"Prefer", "handling=strict"}});
  EXPECT_EQ(strict.wrong_fields(), (std::vector<std::string>{"colour", "status"}));
  EXPECT_EQ(strict.header("preference-applied"), "handling=strict");
  EXPECT_EQ(shop.get(all + "?status=PAID", {{"Prefer", "handling=strict"}}).header("preference-applied"),
            "handling=strict");
}

TEST_P(OrderLists, take_back_a_cursor_only_with_its_filters_and_sort) {
  for (int i = 0; i < 4; ++i) place(fmt::format("N-{}", i), item("p", 1, 100));
  const std::string query = "?limit=1&status=PENDING_PAYMENT,PAID&sort=-totalCents";
  const std::string cursor = "&cursor=" + shop.get(all + query).text("/nextCursor");
  EXPECT_EQ(shop.get(all + query + cursor).size("/items"), 1u);
  EXPECT_EQ(
      shop.get(all + "?limit=3&total=true&sort=-totalCents&status=PAID&status=PENDING_PAYMENT" + cursor).size("/items"),
      3u)
      << "the size of the page, the total and the order of the values do not matter";
  for (const char* other :
       {"?", "?status=PENDING_PAYMENT&sort=-totalCents", "?status=PENDING_PAYMENT,PAID",
        "?status=PENDING_PAYMENT,PAID&sort=totalCents", "?status=PENDING_PAYMENT,PAID&sort=-totalCents&totalMin=1"}) {
    EXPECT_EQ(shop.get(all + other + cursor).wrong_fields(), std::vector<std::string>{"cursor"}) << other;
  }
  EXPECT_EQ(shop.get("/api/data/product?limit=1" + cursor).wrong_fields(), std::vector<std::string>{"cursor"});
}

TEST_P(OrderLists, show_nothing_of_other_tenants) {
  server.add_tenant("other");
  const std::string id = place("A-1", item("p-1", 1, 1000), R"(,"customerId":"c-1")");
  pay(id, "WALLET", "PAID");
  test::CheckedClient other = server.admin("other");
  for (const char* query : {"", "productId=p-1", "customerId=c-1", "search=a-1", "paymentMethod=WALLET", "totalMin=1",
                            "paymentStatus=PAID", "status=PENDING_PAYMENT", "productId=p-1&sort=totalCents",
                            "status=PENDING_PAYMENT,PAID", "search=ada&status=PAID,PENDING_PAYMENT"}) {
    const HttpReply page = other.get(all + "?total=true&" + query);
    EXPECT_EQ(page.size("/items"), 0u) << query;
    EXPECT_EQ(page.integer("/total"), 0) << query;
  }
}

TEST_P(OrderLists, count_up_to_ten_thousand) {
  const std::string first = place("first", item("p", 1, 100));
  copy(first, 9'998);
  place("last", item("p", 1, 100), R"(,"status":"PAID")");
  const auto total_of = [&](const std::string& query) {
    const HttpReply page = shop.get(all + "?limit=1&total=true&" + query);
    return fmt::format("{} {}", page.integer("/total"), page.boolean("/totalIsAtLeast"));
  };
  EXPECT_EQ(total_of(""), "10000 false");
  EXPECT_EQ(total_of("status=PENDING_PAYMENT"), "9999 false");
  EXPECT_EQ(total_of("search=ada"), "10000 false");
  place("one more", item("p", 1, 100));
  EXPECT_EQ(total_of(""), "10000 true");
  EXPECT_EQ(total_of("totalMin=100"), "10000 true");
  EXPECT_EQ(total_of("search=ada&status=PAID,PENDING_PAYMENT"), "10000 true");
  EXPECT_EQ(total_of("status=PENDING_PAYMENT"), "10000 false");
  EXPECT_EQ(total_of("status=PENDING_PAYMENT&productId=p"), "2 false") << "the copies have no products";
}

TEST_P(OrderLists, end_early_after_many_orders_that_do_not_match) {
  const std::string rare = place("rare", item("p", 1, 100), R"(,"status":"PAID")");
  run("UPDATE orders SET created_at = 1 WHERE tenant_id = 'default' AND id = $1", {rare});
  copy(place("frequent", item("p", 1, 200)), 12'000);
  const HttpReply first = shop.get(all + "?search=rare&status=PAID,PENDING_PAYMENT");
  EXPECT_EQ(first.size("/items"), 0u);
  ASSERT_FALSE(first.is_null("/nextCursor")) << "it has not seen all orders";
  EXPECT_EQ(numbers("search=rare&status=PAID,PENDING_PAYMENT"), Numbers{"rare"});
  const HttpReply whole = shop.get(all + "?search=rare");
  EXPECT_EQ(whole.size("/items"), 1u) << "an index alone is read faster";
  EXPECT_TRUE(whole.is_null("/nextCursor"));
  EXPECT_EQ(shop.get(all + "?totalMax=150").size("/items"), 1u) << "few orders are found by their totals";
}

TEST_P(OrderLists, include_orders_from_before_there_were_search_texts) {
  place("old", item("p-old", 1, 100));
  const std::string gone = place("gone", item("p-old", 1, 100));
  shop.del("/api/data/order/" + gone);
  run("UPDATE orders SET search_text = NULL WHERE tenant_id = $1", {std::string("default")});
  run("DELETE FROM order_products WHERE tenant_id = $1", {std::string("default")});
  EXPECT_EQ(numbers("search=old"), Numbers{});
  server.restart();
  test::CheckedClient again = server.admin();
  for (const char* query : {"?search=old", "?productId=p-old"}) {
    EXPECT_TRUE(test::eventually([&] { return again.get(all + query).size("/items") == 1u; })) << query;
    EXPECT_EQ(again.get(all + query).text("/items/0/orderNumber"), "old") << query;
  }
}

}  // namespace
}  // namespace guildhall
