// Runs `guildhall audit verify`, `guildhall fund verify` and `guildhall reports rebuild` as an operator does.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>

#include "audit/audit_chain.h"
#include "support/server_process.h"
#include "support/shop.h"
#include "support/test_server.h"

namespace guildhall {
namespace {

using test::ServerProcess;

class VerifyCommands : public ::testing::TestWithParam<test::Engine> {
 protected:
  ServerProcess::Variables variables() {
    return test::server_variables(GetParam(), database_.url, folder_.path.string());
  }

  void write(const std::string& text) {
    const auto storage = open_storage({.url = database_.url, .writer_connections_max = 1});
    seal_audit_trail(*storage);
    const Sql sql(text);
    storage->write_now([&](Tx& tx) { tx.run({&sql, {}}); });
  }

  test::FreshDatabase database_{GetParam()};
  test::TemporaryFolder folder_;
};
INSTANTIATE_TEST_SUITE_P(Pairs, VerifyCommands, test::engines, test::engine_name);

TEST_P(VerifyCommands, work_beside_a_running_server_and_know_its_tenants) {
  ServerProcess server(variables());
  server.wait_until_ready();
  for (const char* subject : {"audit", "fund"}) {
    ServerProcess all(variables(), {subject, "verify"});
    EXPECT_EQ(all.wait_for_exit(), 0) << all.output();
    ServerProcess one(variables(), {subject, "verify", "--tenant", "default"});
    EXPECT_EQ(one.wait_for_exit(), 0) << one.output();
    ServerProcess nobody(variables(), {subject, "verify", "--tenant", "nobody"});
    EXPECT_EQ(nobody.wait_for_exit(), 1);
    EXPECT_NE(nobody.output().find("There is no tenant nobody"), std::string::npos) << nobody.output();
    ServerProcess empty(variables(), {subject, "verify", "--tenant", ""});
    EXPECT_EQ(empty.wait_for_exit(), 1) << "an empty value is not everybody: " << empty.output();
  }
}

TEST_P(VerifyCommands, rebuild_reports_beside_a_running_server_and_without_one) {
  {
    ServerProcess server(variables());
    server.wait_until_ready();
    test::HttpClient client(server.port());
    ASSERT_EQ(
        client
            .post("/auth/local/login",
                  fmt::format(R"({{"username":"admin","password":"{}","tenantId":"default"}})", test::admin_password))
            .status,
        200);
    test::created(client, "order", test::order_of("A", test::item("p", 1, 100), R"(,"status":"PAID")"));
    ASSERT_EQ(client.get("/api/admin/reports/sales").integer("/totals/orders"), 1);
    ServerProcess beside(variables(), {"reports", "rebuild"});
    EXPECT_EQ(beside.wait_for_exit(), 0) << beside.output();
    EXPECT_NE(beside.output().find("ok       default: 1 paid orders"), std::string::npos) << beside.output();
    ServerProcess nobody(variables(), {"reports", "rebuild", "--tenant", "nobody"});
    EXPECT_EQ(nobody.wait_for_exit(), 1);
    server.signal(SIGTERM);
    ASSERT_EQ(server.wait_for_exit(), 0) << server.output();
  }
  write("UPDATE report_totals SET total_cents = total_cents + 1");
  ServerProcess wrong(variables(), {"reports", "rebuild", "--tenant", "default"});
  EXPECT_EQ(wrong.wait_for_exit(), 1);
  EXPECT_NE(wrong.output().find("PROBLEM  default"), std::string::npos) << wrong.output();
  ServerProcess corrected(variables(), {"reports", "rebuild"});
  EXPECT_EQ(corrected.wait_for_exit(), 0) << corrected.output();
}

TEST_P(VerifyCommands, print_json_for_programs) {
  ServerProcess server(variables());
  server.wait_until_ready();
  test::HttpClient client(server.port());
  ASSERT_EQ(client
                .post("/auth/local/login", fmt::format(R"({{"username":"admin","password":"{}","tenantId":"default"}})",
                                                       test::admin_password))
                .status,
            200);
  test::created(client, "order", test::order_of("A", test::item("p", 1, 100), R"(,"status":"PAID")"));
  ServerProcess reports(variables(), {"reports", "rebuild", "--tenant", "default", "--json"});
  EXPECT_EQ(reports.wait_for_exit(), 0) << reports.output();
  EXPECT_NE(reports.output().find(R"({"tenant":"default","orders":1,"refunds":0,)"), std::string::npos)
      << reports.output();
  ServerProcess fund(variables(), {"fund", "verify", "--tenant", "default", "--json"});
  EXPECT_EQ(fund.wait_for_exit(), 0) << fund.output();
  EXPECT_EQ(fund.output(), R"({"tenant":"default","entries":0,"balanceCents":0,"problems":[]})"
                           "\n");
}

TEST_P(VerifyCommands, create_no_database) {
  for (const char* subject : {"audit", "fund"}) {
    ServerProcess none(variables(), {subject, "verify"});
    EXPECT_EQ(none.wait_for_exit(), 1) << none.output();
  }
  ServerProcess reports(variables(), {"reports", "rebuild"});
  EXPECT_EQ(reports.wait_for_exit(), 1) << reports.output();
  if (GetParam() == test::Engine::sqlite) EXPECT_FALSE(std::filesystem::exists(database_.url.substr(7)));
}

TEST_P(VerifyCommands, tell_whether_the_chains_hold) {
  {
    ServerProcess server(variables());
    server.wait_until_ready();
    test::HttpClient client(server.port());
    ASSERT_EQ(
        client
            .post("/auth/local/login",
                  fmt::format(R"({{"username":"admin","password":"{}","tenantId":"default"}})", test::admin_password))
            .status,
        200);
    server.signal(SIGTERM);
    ASSERT_EQ(server.wait_for_exit(), 0) << server.output();
  }
  write("SELECT 1");
  ServerProcess well(variables(), {"audit", "verify"});
  EXPECT_EQ(well.wait_for_exit(), 0) << well.output();
  EXPECT_NE(well.output().find("ok       default: 2 entries sealed, 0 waiting"), std::string::npos) << well.output();

  ServerProcess json(variables(), {"audit", "verify", "--json"});
  EXPECT_EQ(json.wait_for_exit(), 0) << json.output();
  EXPECT_TRUE(json.output().starts_with(R"({"tenant":"default","sealed":2,"waiting":0,"head":")")) << json.output();

  write("UPDATE audit_entries SET action = 'other' WHERE sequence = 2");
  ServerProcess broken(variables(), {"audit", "verify", "--tenant", "default"});
  EXPECT_EQ(broken.wait_for_exit(), 1);
  EXPECT_NE(broken.output().find("entry 2"), std::string::npos) << broken.output();
}

}  // namespace
}  // namespace guildhall
