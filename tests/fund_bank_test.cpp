// Tests the community fund during crashes, with the bank test of support/bank.h. Servers are killed with -9, and
// PostgreSQL and Redis crash. No cent may be lost, counted twice or spent twice. With GUILDHALL_LONG=1 it runs for
// minutes.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <thread>

#include "base/log.h"
#include "storage/columns.h"
#include "storage/migrations.h"
#include "support/bank.h"
#include "support/private_services.h"
#include "support/server_process.h"

namespace guildhall {
namespace {

using test::Bank, test::ServerProcess;

std::chrono::milliseconds duration(int seconds) {
  return std::chrono::seconds(std::getenv("GUILDHALL_LONG") == nullptr ? seconds : 20 * seconds);
}

// Lets the bank's clients work.
void pause(int milliseconds) {
  std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
}

const Sql tenant_sql(R"(
  INSERT INTO tenants (tenant_id, name, owner_user_id, created_at, updated_at, version) VALUES ($1, $1, '', 1, 1, 1))");

enum class Tables { guarded, bare };

// The same columns without the constraints that refuse wrong amounts.
const Sql bare_tables[] = {
    Sql("DROP TABLE fund_ledger"), Sql("DROP TABLE fund_balances"),
    Sql("CREATE TABLE fund_balances (tenant_id text PRIMARY KEY, currency text, sequence bigint, balance_cents bigint,"
        " contributed_cents bigint, disbursed_cents bigint, contributions bigint, disbursements bigint)"),
    Sql("CREATE TABLE fund_ledger (id text, tenant_id text, sequence bigint, kind text, source text, customer_id text,"
        " order_id text, order_part bigint, change_cents bigint, balance_cents bigint, anonymous boolean, reason text,"
        " approved_by text, created_at bigint, previous_sequence bigint, balance_before_cents bigint)")};

void prepare(const std::string& database_url, Tables tables = Tables::guarded) {
  log::configure(log::Level::error, false);
  const auto storage = open_storage({.url = database_url});
  migrate(*storage);
  storage->write_now([](Tx& tx) {
    for (int tenant = 0; tenant < test::bank_tenants; ++tenant)
      tx.run({&tenant_sql, params(test::bank_tenant(tenant))});
  });
  if (tables == Tables::guarded) return;
  storage->write_now([](Tx& tx) {
    for (const Sql& sql : bare_tables) tx.run({&sql, {}});
  });
}

// Runs `guildhall fund verify` as an operator does, and expects success.
void expect_verified(const ServerProcess::Variables& variables) {
  ServerProcess verify(variables, {"fund", "verify"});
  EXPECT_EQ(verify.wait_for_exit(), 0) << verify.output();
  EXPECT_NE(verify.output().find("every one adds up"), std::string::npos) << verify.output();
}

void expect_no_violations(const Bank& bank) {
  for (const std::string& violation : bank.violations()) ADD_FAILURE() << violation;
  ::testing::Test::RecordProperty("operations", bank.summary());
  fmt::print("           {}\n", bank.summary());
}

class FundBank : public ::testing::TestWithParam<test::Engine> {
 protected:
  test::FreshDatabase database{GetParam()};
  test::TemporaryFolder folder;
  ServerProcess::Variables variables = test::server_variables(GetParam(), database.url, folder.path.string());
};
INSTANTIATE_TEST_SUITE_P(Pairs, FundBank, test::engines, test::engine_name);

TEST_P(FundBank, keeps_every_cent_while_the_server_is_killed) {
  prepare(database.url);
  ServerProcess server(variables);
  server.wait_until_ready();
  Bank bank(server.port());
  bank.open();
  bank.work(duration(7), [&] {
    pause(2500);
    server.kill_hard();
    server.start();
    server.wait_until_ready();
  });
  bank.check();
  expect_no_violations(bank);
  server.kill_hard();
  expect_verified(variables);
}

TEST(FundBank, keeps_every_cent_while_postgresql_and_redis_crash) {
  test::PrivateServices services;
  test::TemporaryFolder folder;
  ServerProcess::Variables variables =
      test::server_variables(test::Engine::postgresql, services.database_url(), folder.path.string());
  variables["CACHE_URL"] = services.cache_url();
  prepare(services.database_url());
  ServerProcess server(variables);
  server.wait_until_ready();
  Bank bank(server.port());
  bank.open();
  bank.work(duration(7), [&] {
    pause(1500);
    services.crash_postgres();
    pause(1500);
    services.crash_redis();
  });
  server.wait_until_ready();
  bank.check();
  expect_no_violations(bank);
  expect_verified(variables);
}

TEST_P(FundBank, finds_fault_with_a_server_that_lacks_the_guard) {
  prepare(database.url, Tables::bare);
  ServerProcess server(variables, {"serve"}, UNGUARDED_BINARY);
  server.wait_until_ready();
  Bank bank(server.port());
  bank.open();
  bank.work(std::chrono::seconds(2), [] { pause(100); });
  bank.check();
  const std::vector<std::string> violations = bank.violations();
  ASSERT_FALSE(violations.empty());
  EXPECT_TRUE(std::any_of(violations.begin(), violations.end(), [](const std::string& violation) {
    return violation.find("below zero") != std::string::npos;
  })) << violations.front();
  server.kill_hard();
  ServerProcess verify(variables, {"fund", "verify"});
  EXPECT_EQ(verify.wait_for_exit(), 1) << verify.output();
}

// Without the guard in the code, the constraints of the database refuse wrong entries (a 500), and the money is still
// right.
TEST_P(FundBank, is_kept_by_the_database_where_the_code_is_wrong) {
  prepare(database.url);
  ServerProcess server(variables, {"serve"}, UNGUARDED_BINARY);
  server.wait_until_ready();
  Bank bank(server.port());
  bank.open();
  bank.work(std::chrono::seconds(2), [] { pause(100); });
  bank.check();
  EXPECT_FALSE(bank.violations().empty());
  for (const std::string& violation : bank.violations()) {
    EXPECT_TRUE(violation.starts_with("unexpected answer")) << violation;
  }
  server.kill_hard();
  expect_verified(variables);
}

}  // namespace
}  // namespace guildhall
