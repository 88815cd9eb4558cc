// Tests that acknowledged writes are durable: kills the server with -9 repeatedly during concurrent writes, and then
// checks that everything that was answered with a 2xx is still stored.
#include <atomic>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <mutex>
#include <set>
#include <thread>

#include "support/eventually.h"
#include "support/http_client.h"
#include "support/server_process.h"
#include "support/shop.h"
#include "support/test_server.h"

namespace guildhall {
namespace {

using test::HttpClient, test::HttpReply, test::ServerProcess;

constexpr int writers = 8;

class Durability : public ::testing::TestWithParam<test::Engine> {};
INSTANTIATE_TEST_SUITE_P(Pairs, Durability, test::engines, test::engine_name);

HttpClient signed_in(std::uint16_t port) {
  HttpClient client(port);
  const HttpReply reply =
      client.post("/auth/local/login",
                  fmt::format(R"({{"username":"admin","password":"{}","tenantId":"default"}})", test::admin_password));
  if (reply.status != 200) throw std::runtime_error("cannot sign in: " + reply.body);
  return client;
}

// Eight threads write until they have been acknowledged 40 times together; then the server is killed with -9 while they
// go on, and started again; several times. `write(client, name)` returns what was acknowledged, or an empty text.
// Returns everything that was acknowledged.
template <class Write>
std::vector<std::string> acknowledged_while_it_is_killed(ServerProcess& server, int rounds, const Write& write) {
  constexpr std::size_t a_round = 40;
  std::vector<std::string> acknowledged;
  for (int round = 0; round < rounds; ++round) {
    server.wait_until_ready();
    const HttpClient session = signed_in(server.port());
    std::mutex mutex;
    std::atomic<std::size_t> count = 0;
    const auto work = [&](int writer) {
      HttpClient client = session;
      try {
        for (int i = 0;; ++i) {
          const std::string done = write(client, fmt::format("{}-{}-{}", round, writer, i));
          if (done.empty()) continue;
          const std::lock_guard lock(mutex);
          acknowledged.push_back(done);
          ++count;
        }
      } catch (const std::runtime_error&) {
        // The connection broke.
      }
    };
    std::vector<std::thread> threads;
    for (int writer = 0; writer < writers; ++writer) threads.emplace_back(work, writer);
    EXPECT_TRUE(test::eventually([&] { return count >= a_round; })) << "the test should have written something";
    server.kill_hard();
    for (auto& thread : threads) thread.join();
    server.start();
  }
  server.wait_until_ready();
  return acknowledged;
}

TEST_P(Durability, nothing_acknowledged_is_lost_by_kill_9) {
  test::FreshDatabase database(GetParam());
  test::TemporaryFolder folder;
  ServerProcess server(test::server_variables(GetParam(), database.url, folder.path.string()));
  constexpr int rounds = 4;
  const auto acknowledged =
      acknowledged_while_it_is_killed(server, rounds, [](HttpClient& writer, const std::string& name) {
        const HttpReply reply = writer.post(
            "/api/data/customer", fmt::format(R"({{"chatId":"{}","chatUsername":"u","chatDisplayName":"d"}})", name));
        return reply.status == 201 ? name : "";
      });
  HttpClient client = signed_in(server.port());
  const HttpReply all = client.get("/api/data/customer");
  std::set<std::string> kept;
  simdjson::dom::parser parser;
  for (const auto customer : simdjson::dom::array(parser.parse(all.body))) {
    kept.emplace(std::string_view(customer["chatId"]));
  }
  for (const std::string& chat_id : acknowledged) ASSERT_TRUE(kept.contains(chat_id)) << chat_id;
  EXPECT_LE(kept.size(), acknowledged.size() + rounds * writers) << "at most one unknown write for each connection";
}

TEST_P(Durability, a_sold_key_is_neither_lost_nor_sold_twice_by_kill_9) {
  test::FreshDatabase database(GetParam());
  test::TemporaryFolder folder;
  auto variables = test::server_variables(GetParam(), database.url, folder.path.string());
  variables["SERVICE_MASTER_KEY"] = "a master key that only this test knows and that is long enough";
  ServerProcess server(variables);
  server.wait_until_ready();
  HttpClient admin = signed_in(server.port());
  const std::string product = test::created(admin, "product", R"({"name":"Game","sku":"G","priceCents":100})");
  const std::string path = fmt::format("/api/data/product/{}/deliverable", product);
  const std::string pool = admin.post(path, R"({"kind":"KEY_POOL","name":"Key"})").text("/id");
  constexpr int keys = 10'000, rounds = 3;
  std::string lines;
  for (int i = 0; i < keys; ++i) lines += fmt::format("GAME-{}\n", i);
  ASSERT_EQ(admin.send("POST", fmt::format("{}/{}/key", path, pool), lines, {{"Content-Type", "text/plain"}}).status,
            201);
  const auto acknowledged =
      acknowledged_while_it_is_killed(server, rounds, [&](HttpClient& buyer, const std::string& name) {
        const HttpReply reply =
            buyer.post("/api/data/order", test::order_of(name, test::item(product, 1, 100), R"(,"status":"PAID")"));
        return reply.status == 201 ? reply.text("/id") : "";
      });
  HttpClient after = signed_in(server.port());
  std::set<std::string> sold;
  for (const std::string& order : acknowledged) {
    const std::string item = after.get("/api/data/entitlement?orderId=" + order).text("/items/0/id");
    const HttpReply shown = after.get(fmt::format("/api/data/entitlement/{}/delivery", item));
    ASSERT_EQ(shown.size("/parts/0/values"), 1u) << shown.body;
    EXPECT_TRUE(sold.insert(shown.text("/parts/0/values/0")).second) << "it was sold twice";
  }
  const HttpReply counts = after.get(path);
  const std::int64_t all_sold = counts.integer("/items/0/soldKeys"), left = counts.integer("/items/0/freeKeys");
  EXPECT_EQ(all_sold + left, keys);
  EXPECT_EQ(test::stock_of(after, product), left);
  EXPECT_LE(all_sold, std::ssize(sold) + rounds * writers) << "at most one unknown order for each connection";
}

}  // namespace
}  // namespace guildhall
