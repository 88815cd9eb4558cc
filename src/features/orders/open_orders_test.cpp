#include "features/orders/open_orders.h"

#include <algorithm>
#include <deque>

#include "features/orders/order_expiry.h"
#include "features/orders/order_store.h"
#include "storage/columns.h"
#include "support/shop.h"
#include "support/test_server.h"

namespace guildhall {
namespace {

using test::created, test::item, test::order_of;

class OpenOrders : public test::OnEachPair {
 protected:
  test::CheckedClient shop = server.admin();

  void place(const std::string& number, const std::string& status = "PENDING_PAYMENT") {
    created(shop, "order", order_of(number, item("p", 1, 100), fmt::format(R"(,"status":"{}")", status)));
  }

  std::string numbers(const std::string& query) {
    const auto page = shop.get("/api/data/order/open" + query);
    EXPECT_EQ(page.status, 200) << page.body;
    std::string list = std::to_string(page.integer("/total")) + ":";
    for (std::size_t i = 0; i < page.size("/items"); ++i) {
      list += " " + page.text(fmt::format("/items/{}/orderNumber", i));
    }
    return list;
  }
};
INSTANTIATE_TEST_SUITE_P(Pairs, OpenOrders, test::engines, test::engine_name);

TEST_P(OpenOrders, are_listed_newest_first_filtered_searched_and_counted) {
  place("a%1");
  place("B_2", "PAID");
  place("c\\\\3", "FULFILLING");
  place("Ärger", "SHIPPED");
  place("done", "COMPLETE");
  place("gone", "CANCELLED");
  EXPECT_EQ(numbers(""), "4: Ärger c\\3 B_2 a%1");
  EXPECT_EQ(numbers("?status=PAID"), "1: B_2");
  EXPECT_EQ(numbers("?search=%25"), "1: a%1");
  EXPECT_EQ(numbers("?search=_"), "1: B_2");
  EXPECT_EQ(numbers("?search=%5C"), "1: c\\3");
  EXPECT_EQ(numbers("?search=%C3%A4R"), "1: Ärger");
  EXPECT_EQ(numbers("?search=b&status=PAID"), "1: B_2");
  EXPECT_EQ(numbers("?search=b&status=SHIPPED"), "0:");
  EXPECT_EQ(numbers("?search="), "4: Ärger c\\3 B_2 a%1");
  EXPECT_EQ(numbers("?pageSize=2&page=2"), "4: B_2 a%1");
  EXPECT_EQ(numbers("?pageSize=2&page=3"), "4:");
  const std::string since = "?createdFrom=2000-01-01T00:00:00Z";  // such a query has no counter
  EXPECT_EQ(numbers(since + "&pageSize=2&page=2"), "4: B_2 a%1");
  EXPECT_EQ(numbers(since + "&pageSize=3&page=2"), "4: a%1");
  EXPECT_EQ(numbers(since + "&pageSize=2&page=3"), "4:");
  EXPECT_EQ(numbers("?createdFrom=2999-01-01T00:00:00Z"), "0:");
  EXPECT_EQ(numbers("?createdTo=2999-01-01T00:00:00%2B01:00&createdFrom=2000-01-01T00:00:00Z&pageSize=1"), "4: Ärger");

  const auto page = shop.get("/api/data/order/open?pageSize=1");
  EXPECT_EQ(page.integer("/page"), 1);
  EXPECT_EQ(page.integer("/pageSize"), 1);
  EXPECT_EQ(page.text("/items/0/customerName"), "Ada");
  EXPECT_EQ(page.text("/items/0/createdAt").size(), 24u);
  const std::string at = page.text("/items/0/createdAt");
  EXPECT_NE(numbers("?createdFrom=" + at + "&createdTo=" + at).find("Ärger"), std::string::npos);  // inclusive

  const auto summary = shop.get("/api/data/order/open/summary");
  EXPECT_EQ(summary.integer("/totalOpen"), 4);
  for (const char* status : {"PENDING_PAYMENT", "PAID", "FULFILLING", "SHIPPED"}) {
    EXPECT_EQ(summary.integer(std::string("/byStatus/") + status), 1);
  }
  EXPECT_FALSE(summary.has("/byStatus/COMPLETE"));
}

TEST_P(OpenOrders, refuse_what_is_out_of_range) {
  const auto refused = shop.get(
      "/api/data/order/open?page=0&pageSize=201&status=COMPLETE&createdFrom=yesterday&createdTo=2026-01-01T00:00:00");
  EXPECT_EQ(refused.status, 400);
  EXPECT_EQ(refused.wrong_fields(),
            (std::vector<std::string>{"createdFrom", "createdTo", "page", "pageSize", "status"}));
  auto member = server.member("default", "data.read", "data.write");
  EXPECT_EQ(member.get("/api/data/order/open").status, 403);
  EXPECT_EQ(member.get("/api/data/order/open/summary").status, 403);
  EXPECT_EQ(server.client().get("/api/data/order/open").status, 401);
}

// The engine's plan of a query as text; on PostgreSQL the generic plan, which prepared statements use.
std::string plan_of(test::TestServer& server, test::Engine engine, const Query& query) {
  static std::deque<Sql> kept;  // engines know statements by their address while the server lives
  std::string plan;
  server.write([&](Tx& tx) {
    plan.clear();
    if (engine == test::Engine::sqlite) {
      tx.run({&kept.emplace_back("EXPLAIN QUERY PLAN " + query.sql->text), query.params},
             [&](const Row& row) { plan.append(row.text(3)).append("\n"); });
      return;
    }
    std::string values = "NULL";
    for (std::size_t i = 1; i < query.params.size(); ++i) values += ", NULL";
    for (const std::string& sql :
         {std::string("SET LOCAL plan_cache_mode = force_generic_plan"), "PREPARE explained AS " + query.sql->text,
          "EXPLAIN EXECUTE explained(" + values + ")", std::string("DEALLOCATE explained")}) {
      tx.run({&kept.emplace_back(sql), {}}, [&](const Row& row) { plan.append(row.text(0)).append("\n"); });
    }
  });
  return plan;
}

TEST_P(OpenOrders, are_found_by_index_and_never_by_reading_the_table) {
  // Not the whole database: other tests expect tables without statistics.
  static const Sql analyze_orders("ANALYZE orders"), analyze_counters("ANALYZE order_counters"), fill(R"(
    INSERT INTO orders SELECT $1 || '-' || id, tenant_id, $1 || '-' || order_number, $2, shipping_status, items, currency,
      customer, customer_id, customer_role_ids, discount_id, discount_code, subtotal_cents, discount_amount_cents,
      tax_amount_cents, total_cents, shipping_address, shipment_id, tracking_number, notes, anonymous_contribution,
      paid_at, created_at, updated_at, version, pricing, stock_taken, use_counted, search, CAST($3 AS boolean),
      deleted_at, shipped_at, search_text, gift_to, kept_until, metadata
    FROM orders)");
  created(shop, "order", order_of("1", item("p", 1, 1), R"(,"customerId":"c")"));
  for (int i = 0; i < 12; ++i) {
    const bool open = i == 3;
    server.write([&](Tx& tx) {
      tx.run({&fill, {std::string(1, static_cast<char>('a' + i)), std::string(open ? "PAID" : "COMPLETE"), open}});
    });
  }
  static const Sql count("INSERT INTO order_counters SELECT id, 'PAID', 0, 1 FROM orders");  // of other tenants
  server.write([](Tx& tx) { tx.run({&count, {}}); });
  server.write([](Tx& tx) {
    tx.run({&analyze_orders, {}});
    tx.run({&analyze_counters, {}});
  });

  const TenantId tenant{std::string("default")};
  OpenOrdersQuery plain, by_status, by_search;
  by_status.status = OpenOrderStatus::PAID;
  by_search.search = "x";
  const Position start;
  const Query queries[] = {open_orders(tenant, plain).query,
                           open_orders(tenant, by_status).query,
                           open_orders(tenant, by_search).query,
                           count_open_orders(tenant, by_search).query,
                           order_counts(tenant).query,
                           order_by_id(tenant, OrderId(std::string("x"))).query,
                           order_by_number(tenant, "x").query,
                           orders_of_customer(tenant, CustomerId(std::string("c")), start, 50).query,
                           unpaid_orders(tenant, now(), {{INT64_MIN}, ""}, 100, now()).query};
  for (const Query& query : queries) {
    const std::string plan = plan_of(server, GetParam(), query);
    EXPECT_EQ(plan.find("Seq Scan on orders"), std::string::npos) << query.sql->text << "\n" << plan;
    EXPECT_EQ(plan.find("SCAN orders"), std::string::npos) << query.sql->text << "\n" << plan;
    EXPECT_EQ(plan.find("SCAN o\n"), std::string::npos) << query.sql->text << "\n" << plan;
    EXPECT_TRUE(plan.find("Index") != std::string::npos || plan.find("INDEX") != std::string::npos) << plan;
  }
  const std::string page = plan_of(server, GetParam(), open_orders(tenant, plain).query);
  EXPECT_NE(page.find("orders_open_idx"), std::string::npos) << page;
  // The control: a condition without an index shows up as a full scan.
  static const Sql scan("SELECT id FROM orders WHERE notes = $1");
  const std::string control = plan_of(server, GetParam(), {&scan, {std::string("x")}});
  EXPECT_TRUE(control.find("Seq Scan on orders") != std::string::npos ||
              control.find("SCAN orders") != std::string::npos)
      << control;
}

}  // namespace
}  // namespace guildhall
