#include "races/race_scenarios.h"

#include <atomic>
#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <mutex>
#include <set>
#include <thread>

#include "support/authenticator.h"
#include "support/shop.h"

namespace guildhall::test {
namespace {

constexpr int threads = 16;

// Counts replies by status and code.
class Tally {
 public:
  void add(const HttpReply& reply) {
    const std::lock_guard lock(mutex_);
    ++counts_[reply.status >= 400 ? fmt::format("{} {}", reply.status, reply.code()) : std::to_string(reply.status)];
  }

  // Returns an empty text if the counts are as expected, otherwise the counts.
  std::string unlike(const std::map<std::string, int>& expected) const {
    if (counts_ == expected) return "";
    std::string text = "replies:";
    for (const auto& [name, count] : counts_) {
      text += fmt::format(" {} × {};", count, name);
      EXPECT_FALSE(name.starts_with("500")) << "no race makes a statement wrong";
    }
    return text;
  }

 private:
  std::mutex mutex_;
  std::map<std::string, int> counts_;
};

// Runs `attempt(client, i)` for every i below `attempts`, on all threads at once, each on a connection of its own.
void all_at_once(const Race& race, int attempts, const std::function<void(HttpClient&, int)>& attempt) {
  std::atomic<int> next = 0, ready = 0;
  std::vector<std::thread> pool;
  for (int t = 0; t < threads; ++t) {
    pool.emplace_back([&] {
      HttpClient client(race.shop);
      client.get("/healthz");  // connects before the race begins
      ++ready;
      while (ready < threads) std::this_thread::yield();
      for (int i = next++; i < attempts; i = next++) attempt(client, i);
    });
  }
  for (std::thread& thread : pool) thread.join();
}

std::string name(const Race& race, const char* what) {
  return fmt::format("{}-{}", what, race.round);
}

std::string expect_equal(const char* what, std::int64_t found, std::int64_t expected) {
  return found == expected ? "" : fmt::format(" {} is {}, not {};", what, found, expected);
}

std::string order_path(const HttpReply& reply) {
  return "/api/data/order/" + reply.text("/id");
}

}  // namespace

std::string race_for_uses(const Race& race) {
  constexpr int orders = 200, limit = 10;
  const std::string code = name(race, "USES");
  const std::string discount = created(
      race.shop, "discount",
      fmt::format(R"({{"code":"{}","type":"PERCENT","percent":10,"lifecycle":{{"usageLimit":{}}}}})", code, limit));
  Tally tally;
  all_at_once(race, orders, [&](HttpClient& client, int i) {
    tally.add(client.post("/api/data/order", order_of(fmt::format("{}-{}", code, i), item("p", 1, 100),
                                                      fmt::format(R"(,"discountCode":"{}")", code))));
  });
  return tally.unlike({{"201", limit}, {"400 DISCOUNT_LIMIT_REACHED", orders - limit}}) +
         expect_equal("usageCount", uses_of(race.shop, discount), limit);
}

std::string race_for_stock(const Race& race) {
  constexpr int orders = 64, stock = 21, each = 2;
  const std::string sku = name(race, "STOCK");
  const std::string product = product_with_stock(race.shop, sku, stock);
  Tally tally;
  all_at_once(race, orders, [&](HttpClient& client, int i) {
    tally.add(client.post("/api/data/order", order_of(fmt::format("{}-{}", sku, i), item(product, each, 100))));
  });
  return tally.unlike({{"201", stock / each}, {"400 OUT_OF_STOCK", orders - stock / each}}) +
         expect_equal("stock", stock_of(race.shop, product), stock % each);
}

std::string race_for_keys(const Race& race) {
  constexpr int keys = 24;
  const std::string sku = name(race, "KEYS");
  const std::string product =
      created(race.shop, "product", fmt::format(R"({{"name":"Game","sku":"{}","priceCents":100}})", sku));
  const std::string path = fmt::format("/api/data/product/{}/deliverable", product);
  const std::string pool = race.shop.post(path, R"({"kind":"KEY_POOL","name":"Key"})").text("/id");
  std::string lines;
  for (int i = 0; i < keys; ++i) lines += fmt::format("{}-{}\n", sku, i);
  race.shop.send("POST", fmt::format("{}/{}/key", path, pool), lines, {{"Content-Type", "text/plain"}});
  std::vector<std::string> placed;  // each reserves a key
  for (int i = 0; i < keys; ++i) {
    placed.push_back(created(race.shop, "order", order_of(fmt::format("{}-{}", sku, i), item(product, 1, 100))));
  }
  Tally tally;
  all_at_once(race, keys, [&](HttpClient& client, int i) {
    tally.add(client.patch("/api/data/order/" + placed[static_cast<std::size_t>(i)], R"({"status":"PAID"})"));
  });
  std::set<std::string> sold;
  for (const std::string& order : placed) {
    const std::string item_id = race.shop.get("/api/data/entitlement?orderId=" + order).text("/items/0/id");
    const HttpReply shown = race.shop.get(fmt::format("/api/data/entitlement/{}/delivery", item_id));
    if (shown.size("/parts") > 0) sold.insert(shown.text("/parts/0/values/0"));
  }
  return tally.unlike({{"200", keys}}) + expect_equal("the number of sold keys", std::ssize(sold), keys) +
         expect_equal("stock", stock_of(race.shop, product), 0);
}

std::string race_for_number(const Race& race) {
  constexpr int orders = 50;
  const std::string number = name(race, "NUMBER");
  Tally tally;
  all_at_once(race, orders, [&](HttpClient& client, int) {
    tally.add(client.post("/api/data/order", order_of(number, item("p", 1, 100))));
  });
  return tally.unlike({{"201", 1}, {"400 ORDER_NUMBER_TAKEN", orders - 1}});
}

std::string race_for_effect(const Race& race, bool with_key) {
  constexpr int requests = 50;
  const std::string product = product_with_stock(race.shop, name(race, "EFFECT"), requests + 1);
  const std::string key = name(race, "key");
  // The stock shows how many of the requests had an effect.
  Tally tally;
  all_at_once(race, requests, [&](HttpClient& client, int i) {
    HttpHeaders headers;
    if (with_key) headers.emplace_back("Idempotency-Key", key);
    const std::string number = with_key ? key : fmt::format("{}-{}", key, i);
    tally.add(client.post("/api/data/order", order_of(number, item(product, 1, 100)), headers));
  });
  return tally.unlike({{"201", requests}}) + expect_equal("stock", stock_of(race.shop, product), requests);
}

std::string race_to_update(const Race& race) {
  constexpr int updates = 48;
  const HttpReply order =
      race.shop.post("/api/data/order", order_of(name(race, "UPDATE"), item("p", 1, 100), R"(,"notes":"0")"));
  const std::string path = order_path(order);
  Tally tally;
  all_at_once(race, updates, [&](HttpClient& client, int) {
    HttpReply reply;
    do {
      const HttpReply read = client.get(path);
      reply = client.patch(path, fmt::format(R"({{"notes":"{}"}})", std::stoi(read.text("/notes")) + 1),
                           {{"If-Match", read.header("etag")}});
    } while (reply.status == 412 || reply.status == 503);
    tally.add(reply);
  });
  return tally.unlike({{"200", updates}}) +
         expect_equal("count", std::stoi(race.shop.get(path).text("/notes")), updates);
}

std::string race_to_settle(const Race& race) {
  const std::string code = name(race, "SETTLE"), product = product_with_stock(race.shop, code, 1);
  const std::string discount =
      created(race.shop, "discount", fmt::format(R"({{"code":"{}","type":"PERCENT","percent":10}})", code));
  const HttpReply before = race.shop.get("/api/data/order/open/summary");
  const std::string path = order_path(race.shop.post(
      "/api/data/order", order_of(code, item(product, 1, 100), fmt::format(R"(,"discountCode":"{}")", code))));
  HttpReply paid, cancelled;
  all_at_once(race, 2, [&](HttpClient& client, int i) {
    (i == 0 ? paid : cancelled) = client.patch(path, i == 0 ? R"({"status":"PAID"})" : R"({"status":"CANCELLED"})");
  });
  // Either the order was paid and then cancelled, so the use of the discount stays counted, or it was cancelled and
  // could not be paid, so the use is released.
  const bool was_paid = paid.status == 200;
  std::string wrong = expect_equal("uses", uses_of(race.shop, discount), was_paid ? 1 : 0) +
                      expect_equal("stock", stock_of(race.shop, product), 1) +
                      expect_equal("cancelled", cancelled.status, 200) +
                      expect_equal("open", race.shop.get("/api/data/order/open/summary").integer("/totalOpen"),
                                   before.integer("/totalOpen"));
  if (!was_paid && paid.code() != "INVALID_TRANSITION") wrong += " paid: " + paid.body;
  if (race.shop.get(path).text("/status") != "CANCELLED") wrong += " it is not cancelled;";
  if (race.shop.get(path).is_null("/paidAt") == was_paid) wrong += " paidAt does not fit;";
  return wrong;
}

std::string race_to_renew(const Race& race) {
  constexpr int payments = 50, days = 10;
  const std::string member = name(race, "RENEW");
  const std::string product =
      created(race.shop, "product",
              fmt::format(R"({{"name":"{0}","sku":"{0}","priceCents":100,"isDigital":true,"inventoryTracked":false,)"
                          R"("membership":{{"periodDays":{1}}}}})",
                          member, days));
  Tally tally;
  all_at_once(race, payments, [&](HttpClient& client, int i) {
    const std::string body = fmt::format(R"({{"orderNumber":"{0}-{1}","status":"PAID","customer":{{"name":"Ada",)"
                                         R"("chatId":"{0}"}},"items":[{{"productId":"{2}","quantity":1}}]}})",
                                         member, i, product);
    tally.add(client.post("/api/data/order", body));
  });
  const HttpReply found = race.shop.get("/api/admin/memberships?chatUserId=" + member);
  const auto time = [&](const char* field) { return parse_instant(found.text(field)).value().ms; };
  return tally.unlike({{"201", payments}}) +
         expect_equal("memberships", static_cast<std::int64_t>(found.size("/items")), 1) +
         expect_equal("days", (time("/items/0/expiresAt") - time("/items/0/startedAt")) / 86'400'000, payments * days);
}

std::string race_for_code(const Race& race) {
  static const Sql forget("DELETE FROM second_factors");
  const std::string path = "/auth/second-factor",
                    secret = race.shop.post(path, password_body(admin_password)).text("/secret");
  race.shop.post(path + "/confirm", code_body(code_at(secret, 0)));
  constexpr int attempts = 16;
  const std::string code = code_body(code_at(secret, 1));
  Tally tally;
  all_at_once(race, attempts, [&](HttpClient& client, int) { tally.add(client.post(path + "/recovery-codes", code)); });
  race.server.write([](Tx& tx) { tx.run({&forget, {}}); });
  return tally.unlike({{"200", 1}, {"400 SECOND_FACTOR_INVALID", attempts - 1}});
}

}  // namespace guildhall::test
