// A PostgreSQL database whose large tables are divided by tenant (guildhall migrate --partitions).
#include "storage/partitions.h"

#include <deque>
#include <regex>
#include <set>
#include <sstream>

#include "app/ops/transfer/transfer.h"
#include "app/slices.h"
#include "storage/migrations.h"
#include "support/shop.h"
#include "support/test_server.h"

namespace guildhall {
namespace {

std::string refusal(FunctionRef<void()> action) {
  try {
    action();
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

class Partitions : public ::testing::Test {
 protected:
  static constexpr int parts = 4;

  std::string value(const std::string& sql) { return test::execute_on(server.config.database_url, sql); }

  std::deque<Sql> kept;  // statements are known by their address for as long as the server runs
  test::TestServer server{test::Engine::postgresql, {{"TEST_PARTITIONS", std::to_string(parts)}}};
};

TEST_F(Partitions, keep_the_shops_apart_and_their_rules_in_force) {
  std::set<std::string> used;
  for (int i = 0; i < 12; ++i) {
    const std::string tenant = fmt::format("shop{}", i);
    server.add_tenant(tenant);
    auto shop = server.member(tenant, "TenantAdmin");
    const std::string product = test::product_with_stock(shop, "MUG", 3);
    const std::string order = test::created(shop, "order", test::order_of("1", test::item(product, 2, 100)));
    // The names of violated constraints decide about these replies.
    EXPECT_EQ(shop.post("/api/data/order", test::order_of("1", test::item(product, 1, 100))).code(),
              "ORDER_NUMBER_TAKEN");
    EXPECT_EQ(shop.post("/api/data/order", test::order_of("2", test::item(product, 2, 100))).code(), "OUT_OF_STOCK");
    EXPECT_EQ(test::stock_of(shop, product), 1);
    EXPECT_EQ(shop.patch("/api/data/order/" + order, R"({"status":"PAID"})").status, 200);
    EXPECT_EQ(shop.get("/api/data/order?limit=10").size("/items"), 1u);
    used.insert(value(fmt::format("SELECT CAST(tableoid AS regclass) FROM orders WHERE tenant_id = '{}'", tenant)));
  }
  EXPECT_GT(used.size(), 1u);
  for (const std::string& name : used) EXPECT_TRUE(std::regex_search(name, std::regex("orders_part[0-3]$"))) << name;
}

// The part is chosen when the statement begins: the plan shows the scans of the others as removed.
TEST_F(Partitions, of_other_tenants_are_not_read) {
  static const std::regex part(R"(Scan .*\bon (\w+_part\d+)\b)"), with_tenant(R"(\btenant_id = \$\d+)");
  int pruned = 0;
  const auto all = statement_texts();
  for (const std::string& text : std::set<std::string>(all.begin(), all.end())) {
    const bool large = std::ranges::any_of(growing_tables(), [&](auto table) {
      return std::regex_search(text, std::regex(fmt::format(R"(\b(FROM|JOIN|UPDATE) {}\b)", table)));
    });
    if (!large || !std::regex_search(text, with_tenant) || text.find("EXPLAIN") != std::string::npos) continue;
    // An import looks for its ids in other tenants.
    if (text.find("b.tenant_id <> a.tenant_id") != std::string::npos) continue;
    std::set<std::string> read;
    bool removed = false;
    server.write([&](Tx& tx) {
      const std::string name = fmt::format("explained_{}", kept.size());
      std::size_t count = 0;
      static const std::regex parameter(R"(\$([0-9]+))");
      for (std::sregex_iterator each(text.begin(), text.end(), parameter), end; each != end; ++each) {
        count = std::max(count, static_cast<std::size_t>(std::stoul((*each)[1])));
      }
      std::string values;
      for (std::size_t i = 0; i < count; ++i) values += values.empty() ? "NULL" : ", NULL";
      tx.run({&kept.emplace_back("SET LOCAL plan_cache_mode = force_generic_plan"), {}});
      tx.run({&kept.emplace_back(fmt::format("PREPARE {} AS {}", name, text)), {}});
      read.clear();
      tx.run({&kept.emplace_back(fmt::format("EXPLAIN EXECUTE {}({})", name, values)), {}}, [&](const Row& row) {
        const std::string step(row.text(0));
        std::smatch found;
        if (std::regex_search(step, found, part)) read.insert(found[1]);
        removed = removed || step.find("Subplans Removed") != std::string::npos;
      });
      tx.run({&kept.emplace_back("DEALLOCATE " + name), {}});
    });
    // Statements of several tables read a part of each.
    std::map<std::string, int> by_table;
    for (const std::string& each : read) ++by_table[name_without_part(each)];
    const bool good = std::all_of(by_table.begin(), by_table.end(), [](const auto& each) { return each.second <= 1; });
    pruned += good ? 1 : 0;
    EXPECT_TRUE(good && removed) << text;
  }
  EXPECT_GT(pruned, 50);
}

TEST_F(Partitions, get_readable_names_for_the_indexes_of_later_migrations) {
  std::vector<Migration> steps(migrations().begin(), migrations().end());
  steps.push_back({9999, "9999_notes", "CREATE UNIQUE INDEX orders_notes_key ON orders (tenant_id, notes)"});
  EXPECT_EQ(migrate(server.storage(), steps), 1);
  for (int i = 0; i < parts; ++i) {
    EXPECT_EQ(value(fmt::format("SELECT count(*) FROM pg_class WHERE relname = 'orders_notes_key_part{}'"
                                " AND relnamespace = CAST(CAST(current_schema() AS text) AS regnamespace)",
                                i)),
              "1");
  }
}

TEST_F(Partitions, are_made_only_of_empty_tables_and_once) {
  EXPECT_EQ(refusal([&] { partition(server.storage(), growing_tables(), 8); }), "The database is partitioned already.");
  test::TestServer whole(test::Engine::postgresql);
  auto shop = whole.admin();
  test::created(shop, "customer", R"({"chatId":"1","chatUsername":"u","chatDisplayName":"d"})");
  EXPECT_NE(refusal([&] { partition(whole.storage(), growing_tables(), 8); }).find(" has rows. "), std::string::npos);
  EXPECT_NE(shop.get("/api/data/customer").body.find("\"chatId\":\"1\""), std::string::npos);
  test::TestServer embedded(test::Engine::sqlite);
  EXPECT_EQ(refusal([&] { partition(embedded.storage(), growing_tables(), 8); }),
            "Only a database of PostgreSQL can be partitioned.");
}

TEST_F(Partitions, take_a_copy_of_an_installation) {
  test::TestServer source(test::Engine::sqlite);
  auto shop = source.admin();
  const std::string product = test::product_with_stock(shop, "MUG", 3);
  test::created(shop, "order", test::order_of("1", test::item(product, 2, 100)));
  source.stop();
  test::FreshDatabase target(test::Engine::postgresql);
  {
    const auto storage = open_storage({.url = target.url});
    migrate(*storage);
    partition(*storage, growing_tables(), parts);
  }
  std::ostringstream report;
  copy_installation(source.config.database_url, target.url, report);
  EXPECT_NE(report.str().find("\norders: 1 rows"), std::string::npos) << report.str();
  EXPECT_EQ(test::execute_on(target.url, "SELECT count(*) FROM orders"), "1");
}

TEST(PartNames, are_those_of_their_table) {
  EXPECT_EQ(name_without_part("orders_pkey_part12"), "orders_pkey");
  EXPECT_EQ(name_without_part("orders_pkey"), "orders_pkey");
  EXPECT_EQ(name_without_part("orders_part"), "orders_part");
  EXPECT_EQ(name_without_part("orders_part1_key"), "orders_part1_key");
}

}  // namespace
}  // namespace guildhall
