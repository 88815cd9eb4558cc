#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/shop.h"
#include "support/test_server.h"

// A shop that sells digital products.
namespace guildhall::test {

inline std::string numbered_keys(const std::string& prefix, int count) {
  std::string lines;
  for (int i = 0; i < count; ++i) lines += fmt::format("{}-{:04}-AAAA-BBBB\n", prefix, i);
  return lines;
}

class DigitalShop : public OnEachPair {
 protected:
  std::string product(const std::string& sku, const std::string& rest = "") {
    return created(admin, "product",
                   fmt::format(R"({{"name":"{0}","sku":"{0}","priceCents":500,"isDigital":true{1}}})", sku, rest));
  }
  static std::string deliverables(const std::string& product) {
    return fmt::format("/api/data/product/{}/deliverable", product);
  }
  std::string add(const std::string& product, const std::string& body) {
    const HttpReply made = admin.post(deliverables(product), body);
    EXPECT_EQ(made.status, 201) << made.body;
    return made.text("/id");
  }
  std::string add_pool(const std::string& product, int keys, const std::string& rest = "") {
    const std::string pool = add(product, fmt::format(R"({{"kind":"KEY_POOL","name":"Key"{}}})", rest));
    if (keys > 0) EXPECT_EQ(upload(product, pool, numbered_keys(product.substr(24), keys)).status, 201);
    return pool;
  }
  HttpReply upload(const std::string& product, const std::string& pool, const std::string& lines) {
    return admin.send("POST", fmt::format("{}/{}/key", deliverables(product), pool), lines,
                      {{"Content-Type", "text/plain"}});
  }
  std::string order(const std::string& product, int units = 1, const std::string& status = "PENDING_PAYMENT") {
    return created(
        admin, "order",
        order_of(fmt::format("D-{}", ++orders), item(product, units, 500), fmt::format(R"(,"status":"{}")", status)));
  }
  void move(const std::string& order, const std::string& status) {
    const HttpReply moved = admin.patch("/api/data/order/" + order, fmt::format(R"({{"status":"{}"}})", status));
    ASSERT_EQ(moved.status, 200) << moved.body;
  }
  HttpReply item_of(const std::string& order) { return admin.get("/api/data/entitlement?orderId=" + order); }
  std::string item_status(const std::string& order) { return item_of(order).text("/items/0/status"); }
  // What the buyer sees.
  HttpReply delivered(const std::string& order) {
    return admin.get(fmt::format("/api/data/entitlement/{}/delivery", item_of(order).text("/items/0/id")));
  }
  std::string key_of(const std::string& order) { return delivered(order).text("/parts/0/values/0"); }
  std::int64_t stock(const std::string& product) { return stock_of(admin, product); }
  HttpReply licence(const std::string& action, const std::string& key, const std::string& rest = "",
                    const std::string& tenant = "default") {
    return anybody.post("/api/licences/" + action,
                        fmt::format(R"({{"tenantId":"{}","key":"{}"{}}})", tenant, key, rest));
  }
  std::string licence_status(const std::string& key) { return licence("validate", key).text("/status"); }

  CheckedClient admin = server.admin();
  CheckedClient anybody = server.client();
  int orders = 0;
};

}  // namespace guildhall::test
