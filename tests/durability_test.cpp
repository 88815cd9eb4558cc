// Tests that acknowledged writes are durable: kills the server with -9 repeatedly during concurrent writes, and then
// checks that everything that was answered with a 2xx is still stored.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <set>
#include <thread>

#include "support/http_client.h"
#include "support/server_process.h"
#include "support/shop.h"
#include "support/test_server.h"

namespace guildhall {
namespace {

using test::HttpClient, test::HttpReply, test::ServerProcess;

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

// Creates customers until the server has been killed; returns the chat ids that were acknowledged.
std::vector<std::string> write_until_it_dies(const HttpClient& session, const std::string& prefix) {
  std::vector<std::string> acknowledged;
  HttpClient client = session;
  try {
    for (int i = 0;; ++i) {
      const std::string chat_id = fmt::format("{}-{}", prefix, i);
      const HttpReply reply = client.post(
          "/api/data/customer", fmt::format(R"({{"chatId":"{}","chatUsername":"u","chatDisplayName":"d"}})", chat_id));
      if (reply.status == 201) acknowledged.push_back(chat_id);
    }
  } catch (const std::runtime_error&) {
    return acknowledged;  // the connection broke
  }
}

TEST_P(Durability, nothing_acknowledged_is_lost_by_kill_9) {
  test::FreshDatabase database(GetParam());
  test::TemporaryFolder folder;
  ServerProcess server(test::server_variables(GetParam(), database.url, folder.path.string()));
  std::vector<std::string> acknowledged;
  constexpr int rounds = 4, writers = 8;
  for (int round = 0; round < rounds; ++round) {
    server.wait_until_ready();
    const HttpClient session = signed_in(server.port());
    std::vector<std::vector<std::string>> by_writer(writers);
    std::vector<std::thread> threads;
    for (int writer = 0; writer < writers; ++writer) {
      threads.emplace_back([&, writer] {
        by_writer[static_cast<std::size_t>(writer)] = write_until_it_dies(session, fmt::format("{}-{}", round, writer));
      });
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(300 + 150 * round));  // while the writers work
    server.kill_hard();
    for (auto& thread : threads) thread.join();
    for (auto& ids : by_writer) acknowledged.insert(acknowledged.end(), ids.begin(), ids.end());
    server.start();
  }
  server.wait_until_ready();
  HttpClient client = signed_in(server.port());
  const HttpReply all = client.get("/api/data/customer");
  std::set<std::string> kept;
  simdjson::dom::parser parser;
  for (const auto customer : simdjson::dom::array(parser.parse(all.body))) {
    kept.emplace(std::string_view(customer["chatId"]));
  }
  EXPECT_GT(acknowledged.size(), 100u) << "the test should have written something";
  for (const std::string& chat_id : acknowledged) ASSERT_TRUE(kept.contains(chat_id)) << chat_id;
  EXPECT_LE(kept.size(), acknowledged.size() + rounds * writers) << "at most one unknown write for each connection";
}

// Buys until the server has been killed; returns the orders that were acknowledged.
std::vector<std::string> buy_until_it_dies(const HttpClient& session, const std::string& product,
                                           const std::string& prefix) {
  std::vector<std::string> acknowledged;
  HttpClient client = session;
  try {
    for (int i = 0;; ++i) {
      const HttpReply reply = client.post(
          "/api/data/order",
          test::order_of(fmt::format("{}-{}", prefix, i), test::item(product, 1, 100), R"(,"status":"PAID")"));
      if (reply.status == 201) acknowledged.push_back(reply.text("/id"));
    }
  } catch (const std::runtime_error&) {
    return acknowledged;  // the connection broke
  }
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
  constexpr int keys = 10'000, rounds = 3, buyers = 8;
  std::string lines;
  for (int i = 0; i < keys; ++i) lines += fmt::format("GAME-{}\n", i);
  ASSERT_EQ(admin.send("POST", fmt::format("{}/{}/key", path, pool), lines, {{"Content-Type", "text/plain"}}).status,
            201);
  std::vector<std::string> acknowledged;
  for (int round = 0; round < rounds; ++round) {
    server.wait_until_ready();
    const HttpClient session = signed_in(server.port());
    std::vector<std::vector<std::string>> by_buyer(buyers);
    std::vector<std::thread> threads;
    for (int buyer = 0; buyer < buyers; ++buyer) {
      threads.emplace_back([&, buyer] {
        by_buyer[static_cast<std::size_t>(buyer)] =
            buy_until_it_dies(session, product, fmt::format("{}-{}", round, buyer));
      });
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(300 + 150 * round));  // while the buyers buy
    server.kill_hard();
    for (auto& thread : threads) thread.join();
    for (auto& ids : by_buyer) acknowledged.insert(acknowledged.end(), ids.begin(), ids.end());
    server.start();
  }
  server.wait_until_ready();
  HttpClient after = signed_in(server.port());
  EXPECT_GT(acknowledged.size(), 20u) << "the test should have sold something";
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
  EXPECT_LE(all_sold, std::ssize(sold) + rounds * buyers) << "at most one unknown order for each connection";
}

}  // namespace
}  // namespace guildhall
