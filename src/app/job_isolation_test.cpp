// Background jobs meet records that they cannot decode, in one shop. All other records and shops are handled.
#include <deque>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "app/list_fill.h"
#include "app/maintenance.h"
#include "app/slices.h"
#include "audit/audit_chain.h"
#include "base/secret_box.h"
#include "features/memberships/membership_job.h"
#include "features/messages/messages.h"
#include "features/orders/order_actions.h"
#include "features/orders/order_expiry_job.h"
#include "features/orders/order_number.h"
#include "features/reports/report_fold.h"
#include "features/reports/report_rebuild.h"
#include "features/reports/report_store.h"
#include "outbox/outbox.h"
#include "storage/columns.h"
#include "support/shop.h"
#include "support/test_server.h"

namespace guildhall {
namespace {

using std::chrono::days;

class JobIsolation : public test::OnEachPair {
 protected:
  JobIsolation() {
    server.add_tenant(broken.text());
    services.add(std::as_const(messages), static_cast<const BillingConfig&>(server.config), secrets);
    subscribe(all_slices(), events, services);
  }

  // The jobs of a running server would do the work of the tests.
  void stop_server() {
    server.stop();
    storage = open_storage({.url = server.config.database_url});
  }
  void write(const std::string& text) {
    const Sql& sql = statements.emplace_back(text);
    storage->write_now([&](Tx& tx) { tx.run({&sql, {}}); });
  }
  std::int64_t count(const std::string& rows) {
    const Sql& sql = statements.emplace_back("SELECT COUNT(*) FROM " + rows);
    std::int64_t found = -1;
    storage->read_now([&](Tx& tx) { tx.run({&sql, {}}, [&](const Row& row) { found = row.integer(0); }); });
    return found;
  }
  std::vector<OrderId> place(const TenantId& tenant, int number, const std::string& rest = "") {
    std::vector<OrderId> placed;
    server.write([&](Tx& tx) {
      placed.clear();
      for (int i = 0; i < number; ++i) {
        const auto input = from_json<NewOrder>(test::order_of(make_order_number(), test::item("p", 1, 100), rest));
        placed.push_back(place_order({tx, events, tenant, {}, now()}, input).id);
      }
    });
    return placed;
  }
  bool has_failures(int number) const {
    return metrics.text().find(fmt::format("job_failures_total{{job=\"test\"}} {}\n", number)) != std::string::npos;
  }

  const TenantId broken{std::string("a-broken-shop")}, sound{std::string("default")};
  Events events;
  const Messages messages{
      server.config, {server.config, server.config}, {server.config.session_signing_secrets, server.config}};
  const std::optional<SecretBox> secrets;
  Services services;
  std::deque<Sql> statements;  // outlive the storage
  std::unique_ptr<Storage> storage;
  Metrics metrics;
  JobFailures failures{metrics, "test"};
};
INSTANTIATE_TEST_SUITE_P(Pairs, JobIsolation, test::engines, test::engine_name);

TEST_P(JobIsolation, expires_the_orders_after_more_broken_ones_than_a_step_has) {
  place(broken, 120);
  const std::vector<OrderId> readable = place(broken, 1);
  place(sound, 1);
  stop_server();
  write(fmt::format("UPDATE orders SET items = 'x' WHERE tenant_id = '{}' AND id < '{}'", broken.text(),
                    readable[0].text()));
  EXPECT_EQ(expire_unpaid_orders(*storage, events, 30, now() + days(1), failures), 2);
  EXPECT_EQ(count("orders WHERE status = 'CANCELLED'"), 2);
  EXPECT_TRUE(has_failures(120)) << metrics.text();
}

TEST_P(JobIsolation, ends_the_memberships_after_a_broken_one) {
  for (const TenantId& tenant : {broken, sound}) {
    test::CheckedClient shop = server.admin(tenant.text());
    const std::string plan = test::created(
        shop, "product",
        R"({"name":"n","sku":"s","priceCents":1,"inventoryTracked":false,"membership":{"periodDays":30}})");
    for (const char* member : {"7", "8"}) {
      test::created(shop, "order",
                    fmt::format(R"({{"orderNumber":"{0}","status":"PAID","customer":{{"name":"n","chatId":"{0}"}},)"
                                R"("items":[{{"productId":"{1}","quantity":1}}]}})",
                                member, plan));
    }
  }
  stop_server();
  write(
      fmt::format("UPDATE memberships SET changes = 'x' WHERE tenant_id = '{}' AND chat_user_id = '7'", broken.text()));
  EXPECT_EQ(handle_due_memberships(*storage, events, now() + days(31), failures), 3);
  EXPECT_EQ(count("memberships WHERE status = 'ENDED'"), 3);
  EXPECT_TRUE(has_failures(1)) << metrics.text();
}

TEST_P(JobIsolation, keeps_the_reports_without_a_broken_entry_and_a_broken_order) {
  place(broken, 3, R"(,"status":"PAID")");
  const auto paid = place(broken, 1, R"(,"status":"PAID")");
  place(sound, 1, R"(,"status":"PAID")");
  stop_server();
  write(fmt::format("INSERT INTO report_entries (tenant_id, id, facts) VALUES ('{}', '0', 'x')", broken.text()));
  fold_all_entries(*storage, failures);
  EXPECT_EQ(count("report_entries"), 0);
  EXPECT_TRUE(has_failures(1)) << metrics.text();
  write(fmt::format("UPDATE orders SET items = 'x' WHERE id = '{}'", paid[0].text()));
  build_missing_reports(*storage, failures);
  EXPECT_EQ(count("report_states WHERE is_built = false"), 0);
  EXPECT_TRUE(has_failures(2)) << metrics.text();
  storage->read_now([&](Tx& tx) {
    const ReportCorrections corrections = compare_reports(tx, broken);
    EXPECT_EQ(corrections.orders, 3);
    EXPECT_EQ(corrections.differences(), 0);
    EXPECT_EQ(compare_reports(tx, sound).differences(), 0);
  });
}

TEST_P(JobIsolation, fills_the_search_texts_without_a_broken_order) {
  const auto orders = place(broken, 2);
  stop_server();
  write(fmt::format("UPDATE orders SET search_text = NULL WHERE tenant_id = '{}'", broken.text()));
  write(fmt::format("UPDATE orders SET items = 'x' WHERE id = '{}'", orders[0].text()));
  const std::atomic<bool> stopping = false;
  ListFill(metrics).run(*storage, stopping, failures);
  EXPECT_EQ(count("orders WHERE search_text IS NULL"), 0);
  EXPECT_EQ(count("orders WHERE search_text = ''"), 1);
  EXPECT_TRUE(has_failures(1)) << metrics.text();
}

TEST_P(JobIsolation, seals_an_entry_with_a_value_that_it_does_not_know) {
  if (GetParam() == test::Engine::sqlite) GTEST_SKIP() << "its entries are sealed at once";
  stop_server();
  seal_audit_trail(*storage);
  storage->write_now([&](Tx& tx) {
    for (const TenantId& tenant : {broken, broken, sound}) audit(tx, tenant, {}, {"test", "1"}, "tested", "{}", now());
  });
  write(fmt::format("UPDATE audit_entries SET actor_kind = 'x' WHERE tenant_id = '{}' AND sequence IS NULL",
                    broken.text()));
  EXPECT_EQ(seal_audit_trail(*storage, failures), 3);
  const auto problem = [&] {
    std::optional<std::string> found;
    storage->read_now([&](Tx& tx) { found = verify_chain(tx, broken).problem; });
    return found.value_or("");
  };
  EXPECT_EQ(problem(), "");
  write(fmt::format("UPDATE audit_entries SET actor_kind = 'y' WHERE tenant_id = '{}' AND actor_kind = 'x'",
                    broken.text()));
  EXPECT_NE(problem().find("was changed after it was sealed"), std::string::npos) << problem();
}

TEST_P(JobIsolation, seals_the_trails_of_the_other_shops) {
  if (GetParam() == test::Engine::sqlite) GTEST_SKIP() << "its entries are sealed at once";
  stop_server();
  const auto record = [&](Tx& tx) {
    for (const TenantId& tenant : {broken, sound}) audit(tx, tenant, {}, {"test", "1"}, "tested", "{}", now());
  };
  storage->write_now(record);
  seal_audit_trail(*storage);
  storage->write_now(record);
  // The next position of the chain is taken.
  write(fmt::format("UPDATE audit_chains SET sequence = 0 WHERE tenant_id = '{}'", broken.text()));
  EXPECT_EQ(seal_audit_trail(*storage, failures), 1);
  EXPECT_EQ(count("audit_entries WHERE sequence IS NULL"), 1);
  EXPECT_TRUE(has_failures(1)) << metrics.text();
}

TEST_P(JobIsolation, cleans_the_other_tables) {
  stop_server();
  storage->write_now(
      [&](Tx& tx) { outbox::append(tx, {.tenant = sound, .topic = "test", .payload = "{}", .due = now()}, now()); });
  write("UPDATE outbox_messages SET status = 'DONE', finished_at = 0 WHERE topic = 'test'");
  write("ALTER TABLE idempotency_records RENAME TO broken_records");
  maintain(*storage, server.config, now(), failures);
  EXPECT_EQ(count("outbox_messages WHERE topic = 'test'"), 0);
  EXPECT_TRUE(has_failures(1)) << metrics.text();
}

}  // namespace
}  // namespace guildhall
