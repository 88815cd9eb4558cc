#include "app/ops/commands.h"
#include "audit/audit_chain.h"
#include "storage/columns.h"
#include "storage/tables.h"
#include "support/shop.h"
#include "support/test_server.h"

namespace guildhall {
namespace {

class Erase : public test::OnEachPair {
 protected:
  // On SQLite the server must be stopped.
  std::string erase(const TenantId& tenant) {
    if (GetParam() == test::Engine::sqlite) server.stop();
    return erase_tenant(server.config, tenant);
  }

  void read(FunctionRef<void(Tx&)> body) { open_read_only(server.config.database_url)->read(body); }

  void write(const std::string& text) {
    const Sql sql(text);
    open_storage({.url = server.config.database_url, .writer_connections_max = 1})->write_now([&](Tx& tx) {
      tx.run({&sql, {}});
    });
  }

  ChainReport verified(const TenantId& tenant) {
    ChainReport report;
    read([&](Tx& tx) { report = verify_chain(tx, tenant); });
    return report;
  }

  // The tables in which a tenant has rows.
  std::map<std::string, std::int64_t> rows_of(const TenantId& tenant) {
    Tables tables;
    std::map<std::string, std::int64_t> rows;
    const std::string engine = GetParam() == test::Engine::sqlite ? "sqlite" : "postgresql";
    read([&](Tx& tx) {
      tables = read_tables(tx, engine);
      for (const auto& table : tables) {
        if (const std::int64_t count = table->has("tenant_id") ? table->count(tx, &tenant.text()) : 0; count > 0) {
          rows[table->name] = count;
        }
      }
    });
    return rows;
  }

  void fill(const std::string& tenant) {
    test::CheckedClient admin = server.admin(tenant);
    for (int i = 0; i < 3; ++i) {
      test::created(admin, "order",
                    test::order_of(test::fresh_name(), test::item("p", 1, 100),
                                   R"(,"status":"PAID","notes":"for Ada Lovelace")"));
    }
    ASSERT_EQ(admin.put("/api/admin/auth-providers/chat", R"({"clientId":"own","clientSecret":"s"})").status, 200);
  }

  const TenantId shop{std::string("shop")}, other{std::string("default")};
};
INSTANTIATE_TEST_SUITE_P(Pairs, Erase, test::engines, test::engine_name);

TEST_P(Erase, leaves_only_the_closed_tenant_and_a_chain_that_can_be_verified) {
  server.add_tenant("shop");
  fill("shop");
  fill("default");
  seal_audit_trail(server.storage());
  const auto others = rows_of(other);
  const std::string certificate = erase(shop);
  EXPECT_NE(certificate.find(R"({"table":"orders","rows":3})"), std::string::npos) << certificate;

  auto left = rows_of(shop);
  left.erase("report_states");  // a running server may have made it again; it has no data
  for (const char* kept : {"tenants", "audit_entries", "audit_chains"}) left.erase(kept);
  EXPECT_TRUE(left.empty()) << left.begin()->first;
  EXPECT_EQ(rows_of(other).at("orders"), others.at("orders")) << "another tenant keeps its data";
  const ChainReport report = verified(shop);
  EXPECT_FALSE(report.problem) << *report.problem;
  EXPECT_GT(report.sealed, 1);
  bool named = false;
  const Sql entries("SELECT changes FROM audit_entries WHERE tenant_id = 'shop'");
  read([&](Tx& tx) {
    tx.run({&entries, {}}, [&](const Row& row) { named |= row.text(0).find("Lovelace") != std::string_view::npos; });
  });
  EXPECT_FALSE(named);
  EXPECT_FALSE(verified(other).problem);
}

TEST_P(Erase, of_an_entry_without_a_certificate_is_found) {
  server.add_tenant("shop");
  fill("shop");
  seal_audit_trail(server.storage());
  erase(shop);
  server.stop();
  ASSERT_FALSE(verified(shop).problem);
  write("UPDATE audit_entries SET changes = '{\"(erased)\":\"x\"}' WHERE tenant_id = 'default' AND sequence = 1");
  EXPECT_NE(verified(other).problem.value_or("").find("no certificate"), std::string::npos);
  write("UPDATE audit_entries SET hash = 'x' WHERE tenant_id = 'shop' AND sequence = 1");
  EXPECT_NE(verified(shop).problem.value_or("").find("certifies"), std::string::npos) << "the digest does not match";
}

TEST_P(Erase, of_a_customer_leaves_the_orders_and_nothing_that_names_the_person) {
  test::CheckedClient admin = server.admin();
  const auto customer = [&](const std::string& chat_id, const std::string& name) {
    return test::created(admin, "customer",
                         fmt::format(R"({{"chatId":"{}","chatUsername":"{}","chatDisplayName":"{} Lovelace",)"
                                     R"("email":"{}@example.org"}})",
                                     chat_id, name, name, name));
  };
  const std::string ada = customer("300000000000000001", "ada-person");
  const std::string eve = customer("300000000000000002", "eve-person");
  for (const auto& [id, name] : {std::pair(ada, "ada-person"), std::pair(eve, "eve-person")}) {
    test::created(admin, "order",
                  fmt::format(R"({{"orderNumber":"{}","customer":{{"name":"{} Lovelace"}},"customerId":"{}",)"
                              R"("notes":"for {}","items":[{}]}})",
                              test::fresh_name(), name, id, name, test::item("p", 1, 100)));
  }
  seal_audit_trail(server.storage());
  if (GetParam() == test::Engine::sqlite) server.stop();
  const Erasure erasure = erase_customer(server.config, other, CustomerId(ada));
  EXPECT_TRUE(erasure.complete) << erasure.certificate;
  for (const char* table : {"orders", "customers"}) {
    const std::string erased = fmt::format(R"({{"table":"{}","rows":1}})", table);
    EXPECT_NE(erasure.certificate.find(erased), std::string::npos) << erasure.certificate;
    EXPECT_EQ(erasure.certificate.find(erased), erasure.certificate.rfind(erased)) << "listed once";
  }
  EXPECT_FALSE(verified(other).problem) << *verified(other).problem;
  EXPECT_THROW(erase_customer(server.config, shop, CustomerId(eve)), std::runtime_error) << "another tenant's";
  if (GetParam() == test::Engine::sqlite) server.restart();
  test::CheckedClient again = server.admin();
  EXPECT_EQ(again.get("/api/data/customer/" + ada).text("/chatDisplayName"), "(erased)");
  EXPECT_EQ(again.get("/api/data/customer/" + eve).text("/chatDisplayName"), "eve-person Lovelace");
  const test::HttpReply orders = again.get("/api/data/order?limit=10");
  EXPECT_EQ(orders.size("/items"), 2u);
  EXPECT_EQ(orders.body.find("ada-person"), std::string::npos) << orders.body;
  EXPECT_NE(orders.body.find("eve-person"), std::string::npos);
}

TEST_P(Erase, of_a_customer_leaves_the_records_of_people_with_a_similar_name) {
  test::CheckedClient admin = server.admin();
  const auto customer = [&](const std::string& chat_id, const std::string& name) {
    return test::created(
        admin, "customer",
        fmt::format(R"({{"chatId":"{}","chatUsername":"{}","chatDisplayName":"{}"}})", chat_id, name, name));
  };
  const auto order = [&](const std::string& name, const std::string& rest) {
    return test::created(
        admin, "order",
        fmt::format(R"({{"orderNumber":"{}","status":"PAID","items":[{}],"customer":{{"name":"{}"{}}})",
                    test::fresh_name(), test::item("p", 1, 100), name, rest));
  };
  const std::string peter = customer("300000000000000001", "Peter");
  const std::string panther = customer("300000000000000002", "Peter Panther");
  const std::string trick = customer("PAID", R"(\"name\":)");
  const std::vector<std::string> own{order("Peter", fmt::format(R"(}},"customerId":"{}")", peter)),
                                     order("Peter", R"(,"chatId":"300000000000000001"})")};
  const std::vector<std::string> others{order("Peter Panther", fmt::format(R"(}},"customerId":"{}")", panther)),
                                        order("Peter", "}"), order("Eve", R"(},"giftTo":"300000000000000001")")};
  seal_audit_trail(server.storage());
  if (GetParam() == test::Engine::sqlite) server.stop();
  const Erasure of_trick = erase_customer(server.config, other, CustomerId(trick));
  EXPECT_EQ(of_trick.certificate.find(R"("table":"orders")"), std::string::npos) << of_trick.certificate;
  const Erasure erasure = erase_customer(server.config, other, CustomerId(peter));
  EXPECT_TRUE(erasure.complete) << erasure.certificate;
  EXPECT_NE(erasure.certificate.find(R"({"table":"orders","rows":3})"), std::string::npos)
      << "two orders, and a gift that loses its receiver: " << erasure.certificate;
  if (GetParam() == test::Engine::sqlite) server.restart();
  test::CheckedClient again = server.admin();
  for (const std::string& id : own) {
    EXPECT_EQ(again.get("/api/data/order/" + id).text("/customer/name"), "(erased)");
  }
  for (const std::string& id : others) {
    const test::HttpReply kept = again.get("/api/data/order/" + id);
    EXPECT_NE(kept.text("/customer/name"), "(erased)");
    EXPECT_TRUE(kept.is_null("/giftTo"));
  }
  const auto has_trail = [&](const std::string& id) {
    const Sql sql("SELECT changes FROM audit_entries WHERE tenant_id = 'default' AND subject_id = $1");
    bool found = false;
    read([&](Tx& tx) {
      tx.run({&sql, params(id)}, [&](const Row& row) { found |= row.text(0).find("Peter") != std::string_view::npos; });
    });
    return found;
  };
  EXPECT_FALSE(has_trail(own[0]));
  EXPECT_FALSE(has_trail(own[1]));
  EXPECT_TRUE(has_trail(others[0]));
  EXPECT_TRUE(has_trail(others[1]));
}

TEST_P(Erase, can_be_repeated_and_refuses_the_default_tenant) {
  server.add_tenant("shop");
  fill("shop");
  EXPECT_THROW(erase(other), std::runtime_error);
  EXPECT_THROW(erase(TenantId(std::string("nobody"))), std::runtime_error);
  erase(shop);
  erase(shop);
  EXPECT_FALSE(verified(shop).problem);
}

}  // namespace
}  // namespace guildhall
