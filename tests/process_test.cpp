// Tests that need a separate process: start, signals, exit codes, the command line.
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>
#include <signal.h>
#include <sstream>
#include <thread>

#include "support/eventually.h"
#include "support/http_client.h"
#include "support/server_process.h"
#include "support/test_server.h"

namespace guildhall {
namespace {

using test::HttpClient, test::HttpReply, test::RawConnection, test::ServerProcess;

HttpClient admin_of(const ServerProcess& server) {
  HttpClient client(server.port());
  const std::string body =
      fmt::format(R"({{"username":"admin","password":"{}","tenantId":"default"}})", test::admin_password);
  EXPECT_EQ(client.post("/auth/local/login", body).status, 200);
  return client;
}

class Process : public ::testing::TestWithParam<test::Engine> {
 protected:
  ServerProcess::Variables variables() {
    return test::server_variables(GetParam(), database_.url, folder_.path.string());
  }

 private:
  test::FreshDatabase database_{GetParam()};
  test::TemporaryFolder folder_;
};
INSTANTIATE_TEST_SUITE_P(Pairs, Process, test::engines, test::engine_name);

TEST_P(Process, ends_well_on_sigterm) {
  ServerProcess server(variables());
  server.wait_until_ready();
  server.signal(SIGTERM);
  EXPECT_EQ(server.wait_for_exit(), 0) << server.output();
}

TEST_P(Process, finishes_what_runs_when_it_is_told_to_stop) {
  ServerProcess server(variables());
  server.wait_until_ready();
  RawConnection idle(server.port()), busy(server.port());
  // The request is incomplete, so the server is still receiving it when the signal arrives.
  busy.send("POST /auth/logout HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{");
  HttpClient(server.port()).get("/healthz");
  server.signal(SIGTERM);
  EXPECT_EQ(idle.receive_until_closed(), "");
  busy.send("}");
  const HttpReply reply = busy.receive();
  EXPECT_EQ(reply.status, 200);
  EXPECT_EQ(reply.header("connection"), "close");
  EXPECT_EQ(server.wait_for_exit(), 0);
}

TEST_P(Process, keeps_sessions_over_a_graceful_restart) {
  ServerProcess server(variables());
  server.wait_until_ready();
  HttpClient client = admin_of(server);
  client.disconnect();
  server.signal(SIGTERM);
  EXPECT_EQ(server.wait_for_exit(), 0);
  server.start();
  server.wait_until_ready();
  EXPECT_EQ(client.get("/auth/me").status, 200);
}

TEST_P(Process, serves_while_it_drains_and_says_so_to_balancers) {
  auto settings = variables();
  settings["DRAIN_SECONDS"] = "300";  // the second signal ends it
  ServerProcess server(settings);
  server.wait_until_ready();
  RawConnection idle(server.port());
  HttpClient(server.port()).get("/healthz");
  server.signal(SIGTERM);
  HttpReply ready;
  EXPECT_TRUE(test::eventually([&] {
    ready = HttpClient(server.port()).get("/readyz");
    return ready.status != 200;
  }));
  EXPECT_EQ(ready.status, 503);
  EXPECT_EQ(ready.text("/status"), "draining");
  EXPECT_EQ(ready.text("/database"), "ok");
  // Older and new connections are served for one request each.
  idle.send("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n");
  HttpReply reply = idle.receive();
  EXPECT_EQ(reply.status, 200);
  EXPECT_EQ(reply.header("connection"), "close");
  reply = HttpClient(server.port()).get("/healthz");
  EXPECT_EQ(reply.status, 200);
  EXPECT_EQ(reply.header("connection"), "close");
  server.signal(SIGTERM);
  EXPECT_EQ(server.wait_for_exit(), 0) << server.output();
}

TEST_P(Process, serves_as_several_nodes_on_shared_engines) {
  if (GetParam() == test::Engine::sqlite) {
    ServerProcess first(variables());
    first.wait_until_ready();
    ServerProcess second(variables());
    EXPECT_NE(second.wait_for_exit(), 0);
    EXPECT_NE(second.output().find("already in use"), std::string::npos) << second.output();
    return;
  }
  ServerProcess first(variables()), second(variables());
  first.wait_until_ready();
  second.wait_until_ready();
  HttpClient two(second.port());
  two.cookies = admin_of(first).cookies;
  EXPECT_EQ(two.get("/auth/me").status, 200);
}

// Every node has a folder of its own, so it cannot see the other node's backup.
TEST_P(Process, makes_scheduled_backups_on_one_of_the_nodes) {
  test::TemporaryFolder folder;
  auto settings = variables();
  settings["BACKUP_SCHEDULE"] = "1d";
  settings["BACKUP_DIR"] = (folder.path / "one").string();
  ServerProcess first(settings);
  first.wait_until_ready();
  const auto says = [](const ServerProcess& server, std::string_view text) {
    return server.output().find(text) != std::string::npos;
  };
  const auto backups = [&](const char* node) {
    std::error_code none;
    return std::distance(std::filesystem::directory_iterator(folder.path / node, none), {});
  };
  if (GetParam() == test::Engine::sqlite) {
    EXPECT_TRUE(test::eventually([&] { return says(first, "backup made"); })) << first.output();
    EXPECT_EQ(backups("one"), 1);
    return;
  }
  settings["BACKUP_DIR"] = (folder.path / "two").string();
  ServerProcess second(settings);
  second.wait_until_ready();
  const auto settled = [&](const ServerProcess& server) {
    return says(server, "backup made") || says(server, "another node makes this backup");
  };
  EXPECT_TRUE(test::eventually([&] { return settled(first) && settled(second); }));
  EXPECT_EQ(says(first, "backup made") + says(second, "backup made"), 1) << first.output() << second.output();
  EXPECT_EQ(backups("one") + backups("two"), 1);
}

TEST(CommandLine, refuses_to_start_in_production_without_a_session_secret) {
  ServerProcess server({{"DATABASE_URL", "sqlite:/nonexistent/x.db"}, {"LOG_LEVEL", "rubbish"}});
  EXPECT_EQ(server.wait_for_exit(), 1);
  EXPECT_NE(server.output().find("SESSION_SIGNING_SECRET is required"), std::string::npos) << server.output();
  EXPECT_NE(server.output().find("LOG_LEVEL must"), std::string::npos) << server.output();
}

TEST(CommandLine, refuses_an_address_that_is_taken) {
  test::TemporaryFolder one, two;
  ServerProcess first(
      test::server_variables(test::Engine::sqlite, "sqlite:" + (one.path / "a.db").string(), one.path.string()));
  first.wait_until_ready();
  auto variables =
      test::server_variables(test::Engine::sqlite, "sqlite:" + (two.path / "a.db").string(), two.path.string());
  variables["LISTEN_ADDR"] = fmt::format("127.0.0.1:{}", first.port());
  ServerProcess second(variables);
  EXPECT_EQ(second.wait_for_exit(), 1);
  EXPECT_NE(second.output().find("127.0.0.1"), std::string::npos) << second.output();
}

}  // namespace
}  // namespace guildhall
