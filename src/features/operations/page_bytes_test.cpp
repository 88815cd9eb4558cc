// Pages have bytes, too: every list ends early at 4 MiB, and its cursor leads to the rest.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <set>

#include "api/page.h"
#include "storage/columns.h"
#include "support/shop.h"
#include "support/test_server.h"

namespace guildhall {
namespace {

using test::CheckedClient, test::HttpReply, test::created, test::item, test::order_of;

// Items of an order with about `bytes` bytes.
std::string large_items(std::size_t bytes, char letter = 'x') {
  constexpr std::size_t name_bytes = 9'000;
  std::string items = item("p", 1, 1);
  for (std::size_t made = 0; made < bytes; made += name_bytes) {
    items += fmt::format(R"(,{{"productId":"q","name":"{}","sku":"T","quantity":1,"unitPriceCents":1}})",
                         std::string(name_bytes, letter));
  }
  return items;
}

class PageBytes : public test::OnEachPair {
 protected:
  // The ids of all items of a list, by following its cursors; every page must be small enough.
  std::vector<std::string> ids_of(const std::string& path) {
    std::vector<std::string> ids;
    pages = 0;
    std::string cursor;
    do {
      const HttpReply page = admin.get(path + (cursor.empty() ? "" : "&cursor=" + cursor));
      EXPECT_EQ(page.status, 200) << page.body.substr(0, 500);
      EXPECT_LE(page.body.size(), api::page_bytes_max + 200);
      for (std::size_t i = 0; i < page.size("/items"); ++i) ids.push_back(page.text(fmt::format("/items/{}/id", i)));
      cursor = page.text("/nextCursor");
      ++pages;
    } while (!cursor.empty());
    return ids;
  }

  std::string order(const std::string& number, std::size_t bytes = 0) {
    return created(admin, "order", order_of(number, large_items(bytes)));
  }

  CheckedClient admin = server.admin();
  int pages = 0;
};
INSTANTIATE_TEST_SUITE_P(Pairs, PageBytes, test::engines, test::engine_name);

TEST_P(PageBytes, of_orders_are_bounded) {
  std::vector<std::string> placed;
  for (int i = 0; i < 45; ++i) placed.insert(placed.begin(), order(std::to_string(i), i % 9 == 0 ? 0 : 200'000));
  EXPECT_EQ(ids_of("/api/data/order?limit=200"), placed);
  EXPECT_EQ(pages, 3);
}

TEST_P(PageBytes, of_customers_are_bounded_and_the_bare_list_is_whole) {
  std::set<std::string> made;
  for (int i = 0; i < 45; ++i) {
    const std::string id =
        created(admin, "customer", fmt::format(R"({{"chatId":"{}","chatUsername":"a","chatDisplayName":"A"}})", i));
    // No request takes so much at once.
    static const Sql sql("UPDATE customers SET notes = $3 WHERE tenant_id = $1 AND id = $2");
    server.write([&](Tx& tx) { tx.run({&sql, params(std::string("default"), id, std::string(200'000, 'x'))}); });
    made.insert(id);
  }
  const auto listed = ids_of("/api/data/customer?limit=200");
  EXPECT_EQ(std::set(listed.begin(), listed.end()), made);
  EXPECT_EQ(listed.size(), made.size());
  EXPECT_EQ(pages, 3);
  const HttpReply whole = admin.get("/api/data/customer");
  EXPECT_EQ(whole.status, 200);
  EXPECT_GT(whole.body.size(), 9'000'000U);
  EXPECT_NE(whole.body.find(*made.begin()), std::string::npos);
  EXPECT_NE(whole.body.find(*made.rbegin()), std::string::npos);
}

TEST_P(PageBytes, of_open_orders_stay_small_whatever_the_names) {
  for (int i = 0; i < 20; ++i) {
    created(admin, "order",
            fmt::format(R"({{"orderNumber":"{}","customer":{{"name":"{}"}},"items":[{}]}})", i, std::string(9'999, 'n'),
                        item("p", 1, 1)));
  }
  const HttpReply page = admin.get("/api/data/order/open?pageSize=200");
  ASSERT_EQ(page.size("/items"), 20U);
  EXPECT_LE(page.body.size() / 20 * 200, api::page_bytes_max);
}

TEST_P(PageBytes, of_a_timeline_are_bounded_in_rows) {
  const std::string path = "/api/data/order/" + order("1");
  for (int i = 0; i < 60; ++i) ASSERT_EQ(admin.patch(path, fmt::format(R"({{"notes":"{}"}})", i)).status, 200);
  const HttpReply first = admin.get(path + "/timeline");
  ASSERT_EQ(first.size("/items"), 50U);
  EXPECT_EQ(first.text("/items/0/kind"), "CREATED");
  const HttpReply second = admin.get(path + "/timeline?cursor=" + first.text("/nextCursor"));
  ASSERT_EQ(second.size("/items"), 11U);
  EXPECT_EQ(second.text("/items/10/changes/notes/after"), "59");
  EXPECT_TRUE(second.is_null("/nextCursor"));
  EXPECT_EQ(admin.get(path + "/timeline?limit=201").status, 400);
}

// With one loop, a long read that ran on it would be answered before any request that came after it.
TEST(LongReads, let_other_requests_through) {
  test::TestServer server(test::Engine::sqlite, {{"LOOPS", "1"}});
  auto admin = server.admin();
  const std::string path = "/api/data/order/" + created(admin, "order", order_of("1", item("p", 1, 1)));
  for (int i = 0; i < 60; ++i) {
    admin.patch(path, fmt::format(R"({{"notes":"{}"}})", std::string(9'000, static_cast<char>('a' + i % 26))));
  }
  const std::string cookie = admin.cookies.begin()->first + "=" + admin.cookies.begin()->second;
  for (const std::string& slow : {path + "/timeline?limit=200", std::string("/api/admin/audit?limit=200")}) {
    bool overtaken = false;
    for (int attempt = 0; attempt < 50 && !overtaken; ++attempt) {
      test::RawConnection first(server.port()), second(server.port());
      second.send("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n");
      second.receive();
      first.send(fmt::format("GET {} HTTP/1.1\r\nHost: x\r\nCookie: {}\r\n\r\n", slow, cookie));
      second.send("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n");
      second.receive();
      overtaken = !first.has_bytes();
      EXPECT_EQ(first.receive().status, 200);
    }
    EXPECT_TRUE(overtaken) << slow;
  }
}

class AuditGrowth : public test::OnEachPair {
 protected:
  std::int64_t number(const char* text) {
    static std::vector<std::unique_ptr<Sql>> statements;  // a statement's address is its identity
    const Sql& sql = *statements.emplace_back(std::make_unique<Sql>(text));
    std::int64_t found = 0;
    server.write([&](Tx& tx) { tx.run({&sql, {}}, [&](const Row& row) { found = row.integer(0); }); });
    return found;
  }
  std::int64_t database_bytes() {
    if (GetParam() == test::Engine::postgresql) {
      return number("SELECT CAST(pg_total_relation_size('audit_entries') AS bigint)");
    }
    return number("PRAGMA page_count") * number("PRAGMA page_size");
  }
};
INSTANTIATE_TEST_SUITE_P(Pairs, AuditGrowth, test::engines, test::engine_name);

TEST_P(AuditGrowth, is_limited_to_the_changed_element) {
  auto admin = server.admin();
  const std::string customer =
      "/api/data/customer/" + created(admin, "customer", R"({"chatId":"1","chatUsername":"a","chatDisplayName":"A"})");
  const auto add = [&](int i) {
    const std::string text(190, 'x');
    const HttpReply reply = admin.post(
        customer + "/address",
        fmt::format(
            R"({{"addressId":"{0}","name":"{1}","line1":"{1}","line2":"{1}","city":"{1}","state":"{1}","postalCode":"{1}","country":"US"}})",
            i, text));
    ASSERT_EQ(reply.status, 200) << reply.body;
  };
  for (int i = 0; i < 60; ++i) add(i);
  const std::int64_t before = database_bytes();
  const std::int64_t entries_before = number("SELECT SUM(LENGTH(changes)) FROM audit_entries");
  for (int i = 60; i < 100; ++i) add(i);
  EXPECT_LT(number("SELECT SUM(LENGTH(changes)) FROM audit_entries") - entries_before, 40 * 2048);
  EXPECT_LT(database_bytes() - before, 1 << 20);

  const HttpReply trail = admin.get("/api/admin/audit?limit=1");
  EXPECT_TRUE(trail.is_null("/items/0/changes/addresses[99]/before"));
  EXPECT_EQ(trail.text("/items/0/changes/addresses[99]/after/addressId"), "99");
  ASSERT_EQ(admin.del(customer + "/address/50").status, 200);
  const HttpReply removal = admin.get("/api/admin/audit?limit=1");
  EXPECT_EQ(removal.text("/items/0/changes/addresses[50]/before/addressId"), "50");
  EXPECT_FALSE(removal.has("/items/0/changes/addresses[51]"));
}

TEST_P(AuditGrowth, is_bounded_for_every_entry) {
  auto admin = server.admin();
  const std::string order = "/api/data/order/" + created(admin, "order", order_of("1", large_items(200'000)));
  const std::string change = fmt::format(R"({{"items":[{}],"status":"PAID"}})", large_items(200'000, 'y'));
  ASSERT_EQ(admin.patch(order, change).status, 200);
  EXPECT_LE(number("SELECT MAX(LENGTH(changes)) FROM audit_entries"), 15 * 1024);
  const HttpReply trail = admin.get("/api/admin/audit?limit=1");
  EXPECT_GT(trail.integer("/items/0/changes/items[1]/after/bytes"), 9'000);
  EXPECT_EQ(trail.text("/items/0/changes/status/after"), "PAID");
}

}  // namespace
}  // namespace guildhall
