// Tests nodes that start while the database is down, and nodes of two releases on one database.
#include <atomic>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <thread>

#include "support/eventually.h"
#include "support/http_client.h"
#include "support/private_services.h"
#include "support/server_process.h"
#include "support/shop.h"
#include "support/test_server.h"

namespace guildhall {
namespace {

using test::HttpClient, test::HttpReply, test::ServerProcess;

HttpClient admin_at(const ServerProcess& server) {
  HttpClient client(server.port());
  const std::string body =
      fmt::format(R"({{"username":"admin","password":"{}","tenantId":"default"}})", test::admin_password);
  EXPECT_EQ(client.post("/auth/local/login", body).status, 200);
  return client;
}

TEST(Start, waits_for_a_database_that_is_down) {
  test::PrivateServices services;
  test::TemporaryFolder folder;
  services.stop_postgres();
  auto variables = test::server_variables(test::Engine::postgresql, services.database_url(), folder.path.string());
  variables["CACHE_URL"] = services.cache_url();
  ServerProcess server(variables);
  HttpReply reply;
  const auto asked = [&](const char* path) {
    try {
      reply = HttpClient(server.port()).get(path);
    } catch (const std::runtime_error&) {
      return false;  // it does not listen yet
    }
    return true;
  };
  ASSERT_TRUE(test::eventually([&] { return asked("/healthz"); })) << server.output();
  EXPECT_EQ(reply.status, 200);
  ASSERT_TRUE(asked("/readyz"));
  EXPECT_EQ(reply.status, 503);
  EXPECT_EQ(reply.text("/status"), "not ready");
  EXPECT_EQ(reply.text("/database"), "down");
  EXPECT_NE(reply.text("/warnings/0").find("PostgreSQL cannot be reached"), std::string::npos) << reply.body;
  ASSERT_TRUE(asked("/api/data/order"));
  EXPECT_EQ(reply.status, 503);
  EXPECT_EQ(reply.code(), "UNAVAILABLE");

  auto other = variables;  // a node that is stopped while it waits
  ServerProcess stopped(other);
  ASSERT_TRUE(test::eventually([&] { return stopped.output().find("waits for the database") != std::string::npos; }));
  stopped.signal(SIGTERM);
  EXPECT_EQ(stopped.wait_for_exit(), 0) << stopped.output();

  services.start_postgres();
  server.wait_until_ready();
  HttpClient admin = admin_at(server);
  test::created(admin, "order", test::order_of("1", test::item("p", 1, 1)));
  server.signal(SIGTERM);
  EXPECT_EQ(server.wait_for_exit(), 0) << server.output();
}

// The real previous release is tested by `script/deploy-check upgrade`, which takes minutes to build it.
TEST(Upgrade, of_the_database_by_a_newer_release_fails_no_request_of_this_one) {
  test::FreshDatabase database(test::Engine::postgresql);
  test::TemporaryFolder folder;
  const auto variables = test::server_variables(test::Engine::postgresql, database.url, folder.path.string());
  ServerProcess first(variables);
  first.wait_until_ready();
  HttpClient admin = admin_at(first);
  std::atomic<bool> stopping = false;
  std::atomic<int> requests = 0;
  std::vector<std::string> failures;
  std::thread load([&] {
    for (int number = 1; !stopping; ++number) {
      const HttpReply made =
          admin.post("/api/data/order", test::order_of(fmt::format("{}", number), test::item("p", 1, 1)));
      if (made.status != 201) {
        failures.push_back(made.body);
        continue;
      }
      for (const std::string& path : {"/api/data/order/" + made.text("/id"), std::string("/api/data/order?limit=3")}) {
        const HttpReply read = admin.get(path);
        if (read.status != 200) failures.push_back(read.body);
      }
      requests += 3;
    }
  });
  const auto wait_for_more = [&] {
    const int before = requests;
    EXPECT_TRUE(test::eventually([&] { return requests >= before + 30; }));
  };
  wait_for_more();
  test::execute_on(
      database.url,
      "BEGIN; ALTER TABLE orders ADD COLUMN future text; ALTER TABLE orders ADD COLUMN more bigint NOT NULL "
      "DEFAULT 0; INSERT INTO schema_migrations (number, name, checksum, applied_at) VALUES (9999, "
      "'9999_future', '', 1); COMMIT");
  wait_for_more();
  auto beside = variables;
  ServerProcess second(beside);  // a node of this release may also start on the newer database
  second.wait_until_ready();
  wait_for_more();
  stopping = true;
  load.join();
  EXPECT_TRUE(failures.empty()) << failures.size() << ": " << failures.front();
  EXPECT_NE(second.output().find("9999_future"), std::string::npos) << "the operator is informed";
}

}  // namespace
}  // namespace guildhall
