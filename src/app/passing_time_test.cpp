// Sessions, links, locks and orders that end, or begin again, when time passes. The tests move the clock instead of
// waiting.
#include <fmt/format.h>

#include "support/shop.h"
#include "support/test_clock.h"
#include "support/test_server.h"

namespace guildhall {
namespace {

using namespace std::chrono_literals;
using test::CheckedClient, test::TestClock, test::TestServer;

class PassingTime : public test::OnEachPair {
 protected:
  TestClock clock;
  CheckedClient admin = server.admin();
};
INSTANTIATE_TEST_SUITE_P(Pairs, PassingTime, test::engines, test::engine_name);

TEST_P(PassingTime, ends_the_protection_against_repetitions_after_a_day) {
  const std::string body = R"({"name":"Mug","sku":"M","priceCents":1})";
  const test::HttpHeaders key{{"Idempotency-Key", "k"}};
  const std::string first = admin.post("/api/data/product", body, key).text("/id");
  clock.advance(24h - 1min);
  admin.cookies = server.admin().cookies;  // the session in the memory cache has expired
  EXPECT_EQ(admin.post("/api/data/product", body, key).text("/id"), first);
  clock.advance(1min);
  EXPECT_EQ(admin.post("/api/data/product", body, key).code(), "SKU_TAKEN") << "it is carried out again";
}

TEST_P(PassingTime, ends_invoice_links) {
  const std::string order = test::created(admin, "order", test::order_of("1", test::item("p", 1, 100)));
  const std::string url =
      admin.post("/api/orders/" + order + "/invoice-link", R"({"expiresInSeconds":3600})").text("/url");
  const std::string path = url.substr(url.find("/orders/"));
  test::HttpClient browser(server.port());
  clock.advance(59min);
  EXPECT_EQ(browser.get(path).status, 200);
  clock.advance(1min);
  EXPECT_EQ(browser.get(path).status, 404);
}

TEST_P(PassingTime, begins_and_ends_the_time_of_a_discount) {
  test::created(
      admin, "discount",
      fmt::format(R"({{"code":"week","type":"PERCENT","percent":10,"lifecycle":{{"startsAt":"{}","endsAt":"{}"}}}})",
                  to_string(now() + 1h), to_string(now() + 2h)));
  int number = 0;
  const auto order = [&] {
    return admin.post("/api/data/order",
                      test::order_of(std::to_string(++number), test::item("p", 1, 100), R"(,"discountCode":"week")"));
  };
  EXPECT_EQ(order().code(), "DISCOUNT_NOT_STARTED");
  clock.advance(1h);
  EXPECT_EQ(order().status, 201);
  clock.advance(1h);
  EXPECT_EQ(order().code(), "DISCOUNT_EXPIRED");
}

// These are kept in the cache. Redis keeps its own time, which cache_test covers.
TEST(PassingTimeInMemory, ends_sessions) {
  TestServer server(test::Engine::sqlite);
  TestClock clock;
  CheckedClient admin = server.admin();
  clock.advance(8h - 1min);
  EXPECT_EQ(admin.get("/auth/me").status, 200);
  clock.advance(1min);
  EXPECT_EQ(admin.get("/auth/me").status, 401);
}

TEST(PassingTimeInMemory, ends_a_lock_out) {
  TestServer server(test::Engine::sqlite);
  TestClock clock;
  CheckedClient client = server.client();
  const auto sign_in = [&](std::string_view password) {
    return client
        .post("/auth/local/login",
              fmt::format(R"({{"username":"admin","password":"{}","tenantId":"default"}})", password))
        .status;
  };
  for (int i = 0; i < 5; ++i) EXPECT_EQ(sign_in("wrong"), 400);
  clock.advance(15min - 5s);
  EXPECT_EQ(sign_in(test::admin_password), 400) << "locked out";
  clock.advance(5s);
  EXPECT_EQ(sign_in(test::admin_password), 200);
}

TEST(PassingTimeInMemory, begins_a_new_window_of_a_rate_limit) {
  TestServer server(test::Engine::sqlite, {{"RATE_LIMIT_DISABLED", "false"}, {"RATE_LIMIT_TENANT_PER_MIN", "2"}});
  TestClock clock;
  CheckedClient admin = server.admin();
  for (const int status : {200, 200, 429}) EXPECT_EQ(admin.get("/api/data/product").status, status);
  clock.advance(1min);
  EXPECT_EQ(admin.get("/api/data/product").status, 200);
}

}  // namespace
}  // namespace guildhall
