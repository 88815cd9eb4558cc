// Tests a PostgreSQL that is frozen (SIGSTOP): it keeps its connections open and does not answer.
#include <atomic>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <set>
#include <signal.h>
#include <thread>

#include "support/eventually.h"
#include "support/http_client.h"
#include "support/private_services.h"
#include "support/server_process.h"
#include "support/test_server.h"

namespace guildhall {
namespace {

using test::HttpClient, test::HttpReply, test::ServerProcess;

class PrivateDatabase : public ::testing::Test {
 protected:
  explicit PrivateDatabase(std::string timeout_ms) : request_timeout_ms(std::move(timeout_ms)) {}

  ServerProcess::Variables variables() {
    auto variables = test::server_variables(test::Engine::postgresql, services.database_url(), folder.path.string());
    variables["CACHE_URL"] = services.cache_url();
    variables["REQUEST_TIMEOUT_MS"] = request_timeout_ms;
    return variables;
  }

  HttpClient signed_in() {
    server.wait_until_ready();
    HttpClient client(server.port());
    const HttpReply reply = client.post(
        "/auth/local/login",
        fmt::format(R"({{"username":"admin","password":"{}","tenantId":"default"}})", test::admin_password));
    if (reply.status != 200) throw std::runtime_error("cannot sign in: " + reply.body);
    return client;
  }

  HttpReply add_customer(HttpClient& client, const std::string& chat_id) {
    return client.post("/api/data/customer",
                       fmt::format(R"({{"chatId":"{}","chatUsername":"u","chatDisplayName":"d"}})", chat_id));
  }

  // Waits until /readyz returns this status and has this word in its body.
  HttpReply wait_for_readiness(int status, const std::string& word = "") {
    HttpReply reply;
    EXPECT_TRUE(test::eventually([&] {
      reply = HttpClient(server.port()).get("/readyz");
      return reply.status == status && reply.body.find(word) != std::string::npos;
    })) << reply.body;
    return reply;
  }

  const std::string request_timeout_ms;
  test::PrivateServices services;
  test::TemporaryFolder folder;
  ServerProcess server{variables()};
};

struct FrozenDatabase : PrivateDatabase {
  FrozenDatabase() : PrivateDatabase("2000") {}
};
struct StandbyServers : PrivateDatabase {
  StandbyServers() : PrivateDatabase("30000") {}
};

TEST_F(FrozenDatabase, is_reported_as_down_and_nothing_acknowledged_is_lost) {
  HttpClient client = signed_in();
  std::set<std::string> acknowledged;
  const auto add = [&](const std::string& chat_id, int status) {
    EXPECT_EQ(add_customer(client, chat_id).status, status);
    if (status == 201) acknowledged.insert(chat_id);
  };
  for (int i = 0; i < 5; ++i) add(fmt::format("before-{}", i), 201);
  services.freeze_postgres();
  for (int i = 0; i < 3; ++i) add(fmt::format("during-{}", i), 503);
  EXPECT_EQ(client.get("/api/data/customer").status, 503);
  EXPECT_EQ(wait_for_readiness(503, "\"database\"").text("/database"), "down");
  EXPECT_EQ(HttpClient(server.port()).get("/healthz").status, 200);

  services.thaw_postgres();
  wait_for_readiness(200);
  for (int i = 0; i < 5; ++i) add(fmt::format("after-{}", i), 201);
  const std::string all = client.get("/api/data/customer?limit=200").body;
  for (const std::string& chat_id : acknowledged) EXPECT_NE(all.find(chat_id), std::string::npos) << chat_id;
}

TEST_F(FrozenDatabase, does_not_keep_the_process_from_ending) {
  const HttpClient session = signed_in();
  services.freeze_postgres();
  std::vector<std::thread> waiting;
  for (int i = 0; i < 24; ++i) {
    waiting.emplace_back([&, i] {
      HttpClient client = session;
      try {
        EXPECT_EQ(add_customer(client, fmt::format("waiting-{}", i)).status, 503);
      } catch (const std::runtime_error&) {
        // The process ended before it answered this request.
      }
    });
  }
  server.signal(SIGTERM);
  EXPECT_EQ(server.wait_for_exit(), 0) << server.output();
  for (std::thread& thread : waiting) thread.join();
}

TEST_F(StandbyServers, that_a_commit_did_not_reach_make_its_outcome_unknown) {
  HttpClient client = signed_in();
  services.execute("ALTER SYSTEM SET synchronous_standby_names = 'missing'");
  services.execute("SELECT pg_reload_conf()");
  const auto waiting = [&] {
    return std::stoi(services.execute("SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"));
  };
  HttpReply reply;
  std::atomic<bool> answered = false;
  std::thread writer([&] {
    reply = add_customer(client, "unreplicated");
    answered = true;
  });
  EXPECT_TRUE(test::eventually([&] { return waiting() > 0; }));
  wait_for_readiness(200, "standby");
  EXPECT_TRUE(test::eventually([&] {  // background commits of the server wait, too
    services.execute("SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'");
    return answered.load();
  }));
  writer.join();
  EXPECT_EQ(reply.status, 503) << reply.body;

  services.execute("ALTER SYSTEM RESET synchronous_standby_names");
  services.execute("SELECT pg_reload_conf()");
  ASSERT_TRUE(test::eventually([&] { return waiting() == 0; }));
  EXPECT_EQ(add_customer(client, "replicated").status, 201);
}

}  // namespace
}  // namespace guildhall
