// Tests how much memory and how many descriptors a server uses during floods of requests or connections, and what it
// logs.
#include <deque>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>
#include <signal.h>
#include <sstream>
#include <sys/resource.h>

#include "support/eventually.h"
#include "support/http_client.h"
#include "support/server_process.h"
#include "support/shop.h"
#include "support/test_server.h"

namespace guildhall {
namespace {

using test::HttpClient, test::HttpReply, test::RawConnection, test::ServerProcess;

class Flood : public ::testing::TestWithParam<test::Engine> {
 protected:
  ServerProcess::Variables variables() {
    auto found = test::server_variables(GetParam(), database_.url, folder_.path.string());
    metrics_port = test::free_port();
    found["METRICS_ADDR"] = fmt::format("127.0.0.1:{}", metrics_port);
    return found;
  }

  static HttpClient signed_in(ServerProcess& server) {
    HttpClient admin(server.port());
    const HttpReply reply =
        admin.post("/auth/local/login",
                   fmt::format(R"({{"username":"admin","password":"{}","tenantId":"default"}})", test::admin_password));
    EXPECT_EQ(reply.status, 200) << reply.body;
    return admin;
  }

  // Returns the value of a metric; 0 if there is none.
  double metric(const std::string& name) const {
    const std::string text = "\n" + HttpClient(metrics_port).get("/metrics").body;
    const std::size_t at = text.find("\n" + name + " ");
    return at == text.npos ? 0 : std::stod(text.substr(at + name.size() + 2));
  }

  std::uint16_t metrics_port = 0;

 private:
  test::FreshDatabase database_{GetParam()};
  test::TemporaryFolder folder_;
};
INSTANTIATE_TEST_SUITE_P(Pairs, Flood, test::engines, test::engine_name);

std::size_t resident_bytes(pid_t pid) {
  std::ifstream status(fmt::format("/proc/{}/statm", pid));
  std::size_t total = 0, resident = 0;
  status >> total >> resident;
  return resident * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

std::string cookie_of(const HttpClient& client) {
  return client.cookies.begin()->first + "=" + client.cookies.begin()->second;
}

// Items of an order of about 200 KB, so that a page of such orders ends at 4 MiB.
std::string large_items() {
  std::string items = test::item("p", 1, 1);
  for (int i = 0; i < 22; ++i) {
    items += fmt::format(R"(,{{"productId":"q","name":"{}","sku":"T","quantity":1,"unitPriceCents":1}})",
                         std::string(9'000, 'x'));
  }
  return items;
}

TEST_P(Flood, of_slow_readers_does_not_fill_the_memory) {
  ServerProcess server(variables());
  server.wait_until_ready();
  HttpClient admin = signed_in(server);
  const std::string items = large_items();
  for (int i = 0; i < 200; ++i) test::created(admin, "order", test::order_of(std::to_string(i), items));
  EXPECT_EQ(metric("http_unsent_bytes"), 0);
  const std::size_t before = resident_bytes(server.pid());

  // The clients do not read, so the server keeps the bytes that do not fit into the socket buffers.
  constexpr int readers = 40;
  const std::string answered = R"(http_requests_total{method="GET",route="/api/data/order",status="2xx"})";
  const std::string refused = R"(http_requests_total{method="GET",route="/api/data/order",status="5xx"})";
  std::deque<RawConnection> slow;
  for (int i = 0; i < readers; ++i) {
    slow.emplace_back(server.port());
    slow.back().send(
        fmt::format("GET /api/data/order?limit=200 HTTP/1.1\r\nHost: x\r\nCookie: {}\r\n\r\n", cookie_of(admin)));
  }
  ASSERT_TRUE(test::eventually([&] { return metric(answered) + metric(refused) >= readers; }));
  EXPECT_GT(metric(refused), 0) << "40 pages of 4 MiB are more than one tenant may leave unsent";
  EXPECT_GT(metric("http_unsent_bytes"), 8 << 20) << "the readers do make the server hold something";
  EXPECT_LE(metric("http_unsent_bytes"), 32 << 20);
  EXPECT_LT(resident_bytes(server.pid()) - std::min(before, resident_bytes(server.pid())), 384U << 20);

  // The tenant still gets small replies, and the large replies are complete when they are read in the end.
  EXPECT_EQ(admin.get("/auth/me").status, 200);
  int whole = 0;
  for (RawConnection& reader : slow) {
    const HttpReply reply = reader.receive();
    if (reply.status == 200 && reply.body.ends_with('}') && reply.body.size() > 3'000'000) ++whole;
  }
  EXPECT_EQ(whole, metric(answered));
  EXPECT_TRUE(test::eventually([&] { return metric("http_unsent_bytes") == 0; }));
  EXPECT_EQ(admin.get("/api/data/order?limit=200").status, 200);
}

TEST_P(Flood, of_large_pages_is_slowed_down_for_its_own_tenant) {
  auto settings = variables();
  settings["RATE_LIMIT_DISABLED"] = "false";
  ServerProcess server(settings);
  server.wait_until_ready();
  HttpClient admin = signed_in(server);
  const std::string items = large_items();
  std::string order;
  for (int i = 0; i < 25; ++i) order = test::created(admin, "order", test::order_of(std::to_string(i), items));
  const std::string owner = admin.get("/auth/me").text("/session/user/userId");
  EXPECT_EQ(
      admin.post("/api/data/tenant", fmt::format(R"({{"tenantId":"neighbour","name":"N","ownerUserId":"{}"}})", owner))
          .status,
      201);

  int pages = 0;
  HttpReply refused = admin.get("/api/data/order?limit=200");
  for (; refused.status == 200 && pages < 100; ++pages) refused = admin.get("/api/data/order?limit=200");
  ASSERT_EQ(refused.status, 429);
  EXPECT_GE(pages, 4) << "16 MiB at once are allowed";
  EXPECT_GE(std::stoi(refused.header("retry-after")), 1);
  EXPECT_LE(std::stoi(refused.header("retry-after")), 60);
  EXPECT_EQ(admin.get("/api/data/order/" + order).status, 200) << "only pages are refused";
  EXPECT_EQ(admin.post("/auth/tenant", R"({"tenantId":"neighbour"})").status, 200);
  EXPECT_EQ(admin.get("/api/data/order?limit=200").status, 200) << "another tenant is not refused";
}

TEST_P(Flood, of_idle_connections_leaves_descriptors_for_others) {
  rlimit own{};
  ::getrlimit(RLIMIT_NOFILE, &own);
  own.rlim_cur = own.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &own);
  ServerProcess server(variables(), {"--nofile=1024:1024", ServerProcess::guildhall_binary(), "serve"},
                       "/usr/bin/prlimit");
  server.wait_until_ready();
  std::deque<RawConnection> idle;
  for (int i = 0; i < 1'050; ++i) idle.emplace_back(server.port());
  // A connection counts as idle once its loop has begun to read from it: until then a new one may get 503.
  EXPECT_TRUE(test::eventually([&] { return HttpClient(server.port()).get("/healthz").status == 200; }));
  // New connections are accepted, and their requests can use the database and the outbox.
  HttpClient admin = signed_in(server);
  test::created(admin, "order", test::order_of("1", test::item("p", 1, 1)));
  EXPECT_LE(metric("http_connections"), 1024 / 8);
  EXPECT_EQ(server.output().find("Cannot accept"), std::string::npos) << "the listener never ran out of descriptors";
  for (int i = 0; i < 100; ++i) EXPECT_EQ(HttpClient(server.port()).get("/healthz").status, 200);
}

TEST_P(Flood, is_logged_by_route_and_without_secrets) {
  auto settings = variables();
  settings["LOG_LEVEL"] = "info";
  ServerProcess server(settings);
  server.wait_until_ready();
  HttpClient admin = signed_in(server);
  const std::string order =
      test::created(admin, "order",
                    R"({"orderNumber":"1","customer":{"name":"Ada","email":"ada@example.org"},"items":[)" +
                        test::item("p", 1, 1) + "]}");
  EXPECT_EQ(admin.get("/api/data/order/" + order + "?secret=hush", {{"x-request-id", "my-request"}}).status, 200);
  EXPECT_EQ(admin.get("/nowhere/a-token").status, 404);
  const test::HttpReply token = admin.post("/api/admin/tokens", R"({"name":"script","keys":["data.read"]})");
  EXPECT_EQ(
      HttpClient(server.port()).get("/api/data/order", {{"Authorization", "Bearer " + token.text("/token")}}).status,
      200);
  server.signal(SIGTERM);
  EXPECT_EQ(server.wait_for_exit(), 0);
  const std::string log = server.output();
  simdjson::dom::parser parser;
  bool seen = false;
  std::istringstream lines(log);
  for (std::string line; std::getline(lines, line);) {
    const simdjson::dom::element parsed = parser.parse(line);
    if (std::string_view(parsed["message"]) != "request") continue;
    EXPECT_TRUE(parsed["milliseconds"].is_double()) << line;
    EXPECT_TRUE(parsed["bytes"].is_int64()) << line;
    EXPECT_EQ(std::string_view(parsed["address"]), "127.0.0.1");
    if (std::string_view(parsed["requestId"]) != "my-request") continue;
    seen = true;
    EXPECT_EQ(std::string_view(parsed["method"]), "GET");
    EXPECT_EQ(std::string_view(parsed["route"]), "/api/data/order/:id");
    EXPECT_EQ(std::int64_t(parsed["status"]), 200);
    EXPECT_EQ(std::string_view(parsed["tenant"]), "default");
    EXPECT_EQ(std::string_view(parsed["user"]).size(), 36U);
  }
  EXPECT_TRUE(seen) << log;
  EXPECT_NE(log.find(R"("route":"unmatched","status":404)"), std::string::npos);
  EXPECT_NE(log.find(fmt::format(R"("token":"{}","address")", token.text("/id"))), std::string::npos) << log;
  for (const std::string& secret :
       {std::string(test::admin_password), admin.cookies.begin()->second, order, std::string("hush"),
        std::string("a-token"), std::string("ada@example.org"), token.text("/token")}) {
    EXPECT_EQ(log.find(secret), std::string::npos) << secret;
  }
}

TEST_P(Flood, is_logged_in_part_when_that_is_wished_but_failures_always_are) {
  auto settings = variables();
  settings["LOG_REQUESTS"] = "0.1";
  settings["LOOPS"] = "1";
  settings["DRAIN_SECONDS"] = "300";
  ServerProcess server(settings);
  server.wait_until_ready();
  HttpClient client(server.port());
  for (int i = 0; i < 100; ++i) client.get("/docs");
  server.signal(SIGTERM);
  int failures = 0;
  while (failures < 3) failures += HttpClient(server.port()).get("/readyz").status == 503 ? 1 : 0;
  server.signal(SIGTERM);
  EXPECT_EQ(server.wait_for_exit(), 0);
  const auto count = [log = server.output()](std::string_view text) {
    std::size_t times = 0;
    for (std::size_t at = 0; (at = log.find(text, at)) != log.npos; ++at) ++times;
    return times;
  };
  EXPECT_NEAR(static_cast<double>(count(R"("route":"/docs")")), 10, 1);
  EXPECT_EQ(count(R"("route":"/readyz","status":503)"), 3U);
}

}  // namespace
}  // namespace guildhall
