#include <fmt/format.h>
#include <gtest/gtest.h>
#include <set>

#include "base/crypto.h"
#include "base/encoding.h"
#include "base/text.h"
#include "features/delivery/deliverable.h"
#include "support/eventually.h"
#include "support/shop.h"
#include "support/test_server.h"

namespace guildhall {
namespace {

using test::CheckedClient, test::HttpReply;

std::string numbered_keys(const std::string& prefix, int count) {
  std::string lines;
  for (int i = 0; i < count; ++i) lines += fmt::format("{}-{:04}-AAAA-BBBB\n", prefix, i);
  return lines;
}

class Deliveries : public test::OnEachPair {
 protected:
  std::string product(const std::string& sku, const std::string& rest = "") {
    return test::created(
        admin, "product",
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
    return test::created(admin, "order",
                         test::order_of(fmt::format("D-{}", ++orders), test::item(product, units, 500),
                                        fmt::format(R"(,"status":"{}")", status)));
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
  std::int64_t stock(const std::string& product) { return test::stock_of(admin, product); }
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
INSTANTIATE_TEST_SUITE_P(Pairs, Deliveries, test::engines, test::engine_name);

TEST_P(Deliveries, are_added_listed_changed_and_removed) {
  const std::string id = product("P");
  const HttpReply made = admin.post(
      deliverables(id), R"({"kind":"LINK","name":"Course","content":"https://example.org/course","position":2})");
  ASSERT_EQ(made.status, 201) << made.body;
  EXPECT_EQ(made.body.find("example.org"), std::string::npos) << "the content is secret";
  EXPECT_EQ(admin.get("/api/data/product/" + id).text("/delivers"), "CONTENT");
  const std::string text = add(id, R"({"kind":"TEXT","name":"Words","content":"line one\nline two","position":1})");
  const HttpReply list = admin.get(deliverables(id));
  EXPECT_EQ(list.text("/items/0/name"), "Words");
  EXPECT_EQ(list.text("/items/1/name"), "Course");
  const std::string path = fmt::format("{}/{}", deliverables(id), made.text("/id"));
  EXPECT_EQ(admin.get(path + "/content").text("/content"), "https://example.org/course");
  EXPECT_EQ(admin.patch(path, R"({"name":"Film"})").text("/name"), "Film");
  EXPECT_EQ(admin.get(path + "/content").text("/content"), "https://example.org/course");
  EXPECT_EQ(admin.patch(path, R"({"content":"https://example.org/2"})").status, 200);
  EXPECT_EQ(admin.get(path + "/content").text("/content"), "https://example.org/2");
  EXPECT_EQ(admin.patch(path, R"({"content":"no link"})").wrong_fields(), std::vector<std::string>{"content"});
  EXPECT_EQ(admin.del(path).status, 204);
  EXPECT_EQ(admin.del(fmt::format("{}/{}", deliverables(id), text)).status, 204);
  EXPECT_EQ(admin.get("/api/data/product/" + id).text("/delivers"), "NOTHING");
}

TEST_P(Deliveries, refuse_what_does_not_fit) {
  const std::string id = product("P");
  const auto wrong = [&](const std::string& body) { return admin.post(deliverables(id), body).wrong_fields(); };
  using Fields = std::vector<std::string>;
  EXPECT_EQ(wrong(R"({"kind":"PARROT"})"), (Fields{"kind", "name"}));
  EXPECT_EQ(wrong(R"({"kind":"LINK","name":"x"})"), Fields{"content"});
  EXPECT_EQ(wrong(R"({"kind":"LINK","name":"x","content":"javascript:alert"})"), Fields{"content"});
  EXPECT_EQ(wrong(R"({"kind":"TEXT","name":"x","content":"y","pattern":"XXXXXXXXXXXX","activationsMax":1})"),
            (Fields{"activationsMax", "pattern"}));
  EXPECT_EQ(wrong(R"({"kind":"KEY_POOL","name":"x","content":"y","pattern":"XXXXXXXXXXXX"})"),
            (Fields{"content", "pattern"}));
  EXPECT_EQ(wrong(R"({"kind":"KEY_GENERATED","name":"x","pattern":"XXXX"})"), Fields{"pattern"});
  EXPECT_EQ(wrong(R"({"kind":"KEY_GENERATED","name":"x","pattern":"XXXXXXXXXXXX-\u00e4"})"), Fields{"pattern"});
  EXPECT_EQ(admin.get("/api/data/product/" + id).text("/delivers"), "NOTHING");
  add_pool(id, 0);
  EXPECT_EQ(admin.post(deliverables(id), R"({"kind":"KEY_POOL","name":"Other"})").code(), "ONE_KEY_POOL");
  const std::string member = product("M", R"(,"inventoryTracked":false,"membership":{"periodDays":30})");
  EXPECT_EQ(admin.post(deliverables(member), R"({"kind":"KEY_POOL","name":"Key"})").code(), "KEYS_OF_A_MEMBERSHIP");
  EXPECT_EQ(admin.get(deliverables(member)).size("/items"), 0u);
  EXPECT_EQ(admin.patch("/api/data/product/" + id, R"({"stockQuantity":5})").code(), "STOCK_IS_KEYS");
  EXPECT_EQ(admin.patch("/api/data/product/" + id, R"({"name":"Renamed"})").status, 200);
}

TEST_P(Deliveries, belong_to_their_tenant_and_product) {
  const std::string id = product("P"), elsewhere = product("Q"), pool = add_pool(id, 2);
  move(order(id), "PAID");
  const std::string key = admin.get("/api/data/delivery-key?status=ASSIGNED").text("/items/0/id");
  const std::string item = admin.get("/api/data/entitlement").text("/items/0/id");
  server.add_tenant("other");
  CheckedClient other = server.admin("other");
  EXPECT_EQ(other.get(deliverables(id)).status, 404);
  EXPECT_EQ(other.post(deliverables(id), R"({"kind":"TEXT","name":"x","content":"y"})").status, 404);
  EXPECT_EQ(other.get("/api/data/delivery-key").size("/items"), 0u);
  EXPECT_EQ(other.get("/api/data/delivery-key/" + key).status, 404);
  EXPECT_EQ(other.post(fmt::format("/api/data/delivery-key/{}/replace", key), "").status, 404);
  EXPECT_EQ(other.get(fmt::format("/api/data/entitlement/{}/delivery", item)).status, 404);
  EXPECT_EQ(other.post(fmt::format("/api/data/entitlement/{}/delivery/send", item), "").status, 404);
  EXPECT_EQ(other.send("POST", fmt::format("{}/{}/key", deliverables(id), pool), "A", {{"Content-Type", "text/plain"}})
                .status,
            404);
  EXPECT_EQ(admin.del(fmt::format("{}/{}", deliverables(elsewhere), pool)).status, 404) << "of another product";
  const std::string text = key_of(admin.get("/api/data/order").text("/items/0/id"));
  EXPECT_EQ(licence("validate", text).text("/status"), "ACTIVE");
  EXPECT_EQ(licence("validate", text, "", "other").text("/status"), "UNKNOWN");
  CheckedClient reader = server.member("default", "data.read");
  EXPECT_EQ(reader.get("/api/data/delivery-key").status, 200);
  EXPECT_EQ(reader.get(fmt::format("/api/data/entitlement/{}/delivery", item)).status, 403);
}

TEST_P(Deliveries, take_all_keys_of_an_upload_or_none) {
  const std::string id = product("P"), pool = add_pool(id, 0);
  EXPECT_EQ(upload(id, pool,
                   "\xEF\xBB\xBF"
                   "AAAA\r\nBBBB\r\n")
                .integer("/added"),
            2);
  EXPECT_EQ(stock(id), 2);
  EXPECT_EQ(upload(id, pool, "CCCC\n\nDDDD\ncccc\n").wrong_fields(), (std::vector<std::string>{"keys.1", "keys.3"}));
  EXPECT_EQ(upload(id, pool, "CCCC\naaaa\n").wrong_fields(), std::vector<std::string>{"keys.1"}) << "known already";
  EXPECT_EQ(upload(id, pool, std::string(key_length_max + 1, 'x')).wrong_fields(), std::vector<std::string>{"keys.0"});
  EXPECT_EQ(upload(id, pool, "").status, 400);
  EXPECT_EQ(upload(id, pool, "CC\xFF\nC\x01\n").wrong_fields(), (std::vector<std::string>{"keys.0", "keys.1"}));
  EXPECT_EQ(upload(id, pool, numbered_keys("MANY", keys_a_request_max + 1)).status, 400);
  EXPECT_EQ(stock(id), 2) << "nothing is half-done";
  EXPECT_EQ(admin.post(fmt::format("{}/{}/key", deliverables(id), pool), R"({"keys":["CCCC"]})").integer("/added"), 1);
  EXPECT_EQ(admin
                .send("POST", fmt::format("{}/{}/key", deliverables(id), pool), "EEEE,2026\r\n\"FF,\"\"FF\";x\r\n",
                      {{"Content-Type", "text/csv"}})
                .integer("/added"),
            2);
  EXPECT_EQ(upload(id, pool, "FF,\"FF").wrong_fields(), std::vector<std::string>{"keys.0"})
      << "known from the CSV file";
  EXPECT_EQ(upload(id, pool, numbered_keys("MANY", keys_a_request_max)).integer("/added"), keys_a_request_max);
  EXPECT_EQ(admin.get(deliverables(id)).integer("/items/0/freeKeys"), 10'000);
  EXPECT_EQ(stock(id), 10'005);
  const std::string text = add(id, R"({"kind":"TEXT","name":"x","content":"y"})");
  EXPECT_EQ(upload(id, text, "A").code(), "NO_KEY_POOL");
}

TEST_P(Deliveries, of_keys_are_reserved_assigned_and_given_back) {
  const std::string id = product("P");
  add_pool(id, 3);
  const std::string paid = order(id, 2);
  EXPECT_EQ(stock(id), 1) << "reserved";
  EXPECT_EQ(admin.post("/api/data/order", test::order_of("X", test::item(id, 2, 500))).code(), "OUT_OF_STOCK");
  move(paid, "PAID");
  EXPECT_EQ(stock(id), 1);
  const HttpReply shown = delivered(paid);
  EXPECT_EQ(shown.size("/parts/0/values"), 2u) << shown.body;
  EXPECT_NE(shown.text("/parts/0/values/0"), shown.text("/parts/0/values/1"));
  const std::string dropped = order(id, 1);
  EXPECT_EQ(stock(id), 0);
  move(dropped, "CANCELLED");
  EXPECT_EQ(stock(id), 1);
  EXPECT_TRUE(test::eventually([&] { return admin.get("/api/data/order/" + paid).text("/status") == "COMPLETE"; }));
  move(paid, "REFUNDED");
  EXPECT_EQ(stock(id), 1) << "a key that a buyer has seen is not sold again";
  EXPECT_EQ(admin.get("/api/data/delivery-key?status=REVOKED").size("/items"), 2u);
  EXPECT_EQ(delivered(paid).size("/parts"), 0u);
  EXPECT_EQ(licence_status(shown.text("/parts/0/values/0")), "REVOKED");
}

TEST_P(Deliveries, give_back_the_stock_of_an_order_of_an_earlier_release) {
  const std::string id = test::product_with_stock(admin, "S", 5), placed = order(id, 2);
  server.write([&](Tx& tx) {
    static const Sql earlier("UPDATE orders SET stock_taken = $1");
    tx.run({&earlier, {fmt::format(R"([{{"productId":"{}","quantity":2}}])", id)}});
  });
  move(placed, "CANCELLED");
  EXPECT_EQ(stock(id), 5);
}

TEST_P(Deliveries, are_no_more_than_there_are_keys_when_a_product_with_stock_gets_a_pool) {
  const std::string id = product("P", R"(,"stockQuantity":10)"), held = order(id, 3), edited = order(id, 1);
  add_pool(id, 4);
  EXPECT_EQ(stock(id), 4) << "the former stock is none of keys";
  move(held, "CANCELLED");
  EXPECT_EQ(stock(id), 4);
  const std::string items = fmt::format(R"({{"items":[{}]}})", test::item(id, 3, 500));
  EXPECT_EQ(admin.patch("/api/data/order/" + edited, items).status, 200);
  EXPECT_EQ(stock(id), 2) << "two more";
  move(edited, "PAID");
  EXPECT_EQ(delivered(edited).size("/parts/0/values"), 3u);
  EXPECT_EQ(stock(id), 1);
  EXPECT_EQ(admin.get("/api/data/delivery-key?status=FREE").size("/items"), 1u);
}

TEST_P(Deliveries, are_not_added_to_an_order_that_is_paid) {
  const std::string id = product("P");
  add_pool(id, 4);
  const std::string paid = order(id, 1, "PAID");
  const auto with = [&](int units) {
    return admin.patch("/api/data/order/" + paid, fmt::format(R"({{"items":[{}]}})", test::item(id, units, 500)));
  };
  EXPECT_EQ(with(3).code(), "ORDER_IS_PAID");
  EXPECT_EQ(stock(id), 3);
}

TEST_P(Deliveries, are_the_holders_and_not_the_buyers_when_they_are_given_by_hand) {
  const std::string id = product("P");
  add_pool(id, 3);
  const std::string bought = order(id, 1, "PAID");
  const HttpReply given = admin.post(
      "/api/data/entitlement",
      fmt::format(R"({{"userId":"u","chatUserId":"9","orderId":"{}","productId":"{}","type":"DIGITAL_ITEM"}})", bought,
                  id));
  EXPECT_EQ(given.text("/status"), "GRANTED");
  const std::string link = admin.post(fmt::format("/api/orders/{}/invoice-link", bought), "{}").text("/token");
  const std::string page = test::HttpClient(server.port()).get("/orders/receipt/" + link).body;
  const std::string path = fmt::format("/api/data/entitlement/{}", given.text("/id"));
  const std::string key = admin.get(path + "/delivery").text("/parts/0/values/0");
  EXPECT_EQ(page.find(key), std::string::npos);
  EXPECT_NE(page.find("<code>"), std::string::npos);
  EXPECT_EQ(admin.del(path).status, 204);
  EXPECT_EQ(licence_status(key), "REVOKED");
}

TEST_P(Deliveries, may_be_one_key_for_an_order) {
  const std::string id = product("P");
  add_pool(id, 5, R"(,"per":"ORDER")");
  const std::string paid = order(id, 3);
  EXPECT_EQ(stock(id), 2);
  move(paid, "PAID");
  EXPECT_EQ(delivered(paid).size("/parts/0/values"), 1u);
  EXPECT_EQ(stock(id), 4) << "it needed one of the three";
  EXPECT_EQ(admin.get("/api/data/delivery-key?status=FREE").size("/items"), 4u);
}

TEST_P(Deliveries, wait_for_keys_in_the_order_of_payment) {
  const std::string id = product("P", R"(,"inventoryTracked":false)");
  const std::string first = order(id), second = order(id, 2), third = order(id);  // before it had keys
  const std::string pool = add_pool(id, 1);
  move(second, "PAID");
  EXPECT_EQ(item_status(second), "PENDING") << "two of its keys are missing: it gets none";
  EXPECT_NE(item_of(second).text("/items/0/failureReason").find("empty"), std::string::npos);
  EXPECT_EQ(admin.get("/api/data/order/" + second).text("/status"), "PAID");
  EXPECT_EQ(stock(id), 1);
  move(third, "PAID");
  EXPECT_EQ(item_status(third), "GRANTED");
  move(first, "PAID");
  EXPECT_EQ(item_status(first), "PENDING");
  EXPECT_EQ(upload(id, pool, "NEW-1\nNEW-2\n").status, 201);
  EXPECT_EQ(item_status(second), "GRANTED");
  EXPECT_EQ(item_status(first), "PENDING");
  EXPECT_EQ(stock(id), 0);
  EXPECT_EQ(upload(id, pool, "NEW-3\nNEW-4\n").status, 201);
  EXPECT_EQ(item_status(first), "GRANTED");
  EXPECT_EQ(stock(id), 1);
  EXPECT_EQ(key_of(first), "NEW-3");
}

TEST_P(Deliveries, are_made_for_an_item_that_is_given_by_hand) {
  const std::string id = product("P");
  add_pool(id, 1);
  const auto give = [&] {
    return admin.post("/api/data/entitlement",
                      fmt::format(R"({{"userId":"u","orderId":"o","productId":"{}","type":"DIGITAL_ITEM"}})", id));
  };
  EXPECT_EQ(give().text("/status"), "GRANTED");
  EXPECT_EQ(stock(id), 0);
  const HttpReply waits = give();
  EXPECT_EQ(waits.text("/status"), "PENDING");
  EXPECT_NE(waits.text("/failureReason").find("empty"), std::string::npos);
}

TEST_P(Deliveries, of_keys_can_be_removed_and_replaced) {
  const std::string id = product("P"), pool = add_pool(id, 3);
  const std::string paid = order(id, 1, "PAID"), held = order(id);
  const std::string key = key_of(paid);
  const std::string key_id = admin.get("/api/data/delivery-key?status=ASSIGNED").text("/items/0/id");
  const std::string free_id = admin.get("/api/data/delivery-key?status=FREE").text("/items/0/id");
  EXPECT_EQ(admin.get("/api/data/delivery-key/" + key_id).text("/hint"), key.substr(key.size() - 4));
  EXPECT_EQ(admin.get("/api/data/delivery-key").body.find(key), std::string::npos);
  EXPECT_EQ(admin.del("/api/data/delivery-key/" + key_id).code(), "KEY_ASSIGNED");
  EXPECT_EQ(admin.post(fmt::format("/api/data/delivery-key/{}/replace", free_id), "").code(), "KEY_NOT_ASSIGNED");
  EXPECT_EQ(admin.post(fmt::format("/api/data/delivery-key/{}/replace", key_id), "").status, 204);
  EXPECT_NE(key_of(paid), key);
  EXPECT_EQ(licence_status(key), "REVOKED");
  EXPECT_EQ(stock(id), 0);
  const std::string now_id = admin.get("/api/data/delivery-key?status=ASSIGNED").text("/items/0/id");
  EXPECT_EQ(admin.post(fmt::format("/api/data/delivery-key/{}/replace", now_id), "").code(), "NO_KEY_LEFT")
      << "the last one is reserved";
  EXPECT_EQ(licence_status(key_of(paid)), "ACTIVE") << "nothing is half-done";
  const std::string last = admin.get("/api/data/delivery-key?status=FREE").text("/items/0/id");
  EXPECT_EQ(admin.del("/api/data/delivery-key/" + last).code(), "KEYS_RESERVED");
  EXPECT_EQ(admin.del(fmt::format("{}/{}", deliverables(id), pool)).code(), "KEYS_RESERVED");
  move(held, "CANCELLED");
  EXPECT_EQ(admin.del("/api/data/delivery-key/" + last).status, 204);
  EXPECT_EQ(stock(id), 0);
  EXPECT_EQ(admin.del(fmt::format("{}/{}", deliverables(id), pool)).status, 204);
  EXPECT_FALSE(key_of(paid).empty()) << "the buyer keeps it";
  EXPECT_EQ(admin.del("/api/data/product/" + id).status, 204);
}

TEST_P(Deliveries, of_generated_keys_follow_their_pattern) {
  const std::string id = product("P", R"(,"inventoryTracked":false)");
  add(id, R"({"kind":"KEY_GENERATED","name":"Key","pattern":"GH-XXXX-XXXX-XXXX"})");
  const HttpReply shown = delivered(order(id, 3, "PAID"));
  std::set<std::string> keys;
  for (int i = 0; i < 3; ++i) keys.insert(shown.text(fmt::format("/parts/0/values/{}", i)));
  EXPECT_EQ(keys.size(), 3u);
  for (const std::string& key : keys) {
    EXPECT_EQ(key.size(), 17u);
    EXPECT_TRUE(key.starts_with("GH-")) << key;
    EXPECT_EQ(key.find('X', 3) == std::string::npos || key != "GH-XXXX-XXXX-XXXX", true);
  }
  EXPECT_EQ(licence_status(folded(*keys.begin())), "ACTIVE") << "in any case";
  EXPECT_EQ(admin.post("/api/data/order", test::order_of("L", test::item(id, 1001, 1))).wrong_fields(),
            std::vector<std::string>{"items[0].quantity"});
}

// As a program verifies it, without a connection.
TEST_P(Deliveries, of_signed_licences_are_verified_with_the_published_key) {
  const std::string id = product("P", R"(,"inventoryTracked":false)");
  EXPECT_EQ(anybody.get("/api/licences/public-key/default").status, 404);
  add(id, R"({"kind":"KEY_GENERATED","name":"Licence"})");
  const std::string licence = key_of(order(id, 1, "PAID"));
  const std::size_t dot = licence.find('.');
  const auto public_key = from_base64url(anybody.get("/api/licences/public-key/default").text("/publicKey")).value();
  const std::string payload = licence.substr(0, dot), signature = from_base64url(licence.substr(dot + 1)).value();
  EXPECT_TRUE(verify_ed25519(public_key, payload, signature));
  EXPECT_FALSE(verify_ed25519(public_key, payload + "x", signature));
  EXPECT_NE(from_base64url(payload).value().find(id), std::string::npos);
  EXPECT_EQ(licence_status(licence), "ACTIVE");
  EXPECT_NE(key_of(order(id, 1, "PAID")), licence);
}

TEST_P(Deliveries, limit_the_computers_of_a_key) {
  const std::string id = product("P");
  add_pool(id, 2, R"(,"activationsMax":2)");
  const std::string paid = order(id, 1, "PAID"), key = key_of(paid);
  const auto on = [](const std::string& fingerprint) {
    return fmt::format(R"(,"fingerprint":"{0}","name":"Computer {0}")", fingerprint);
  };
  EXPECT_EQ(licence("activate", key, on("a")).integer("/activations"), 1);
  EXPECT_EQ(licence("activate", key, on("a")).integer("/activations"), 1) << "the same again";
  EXPECT_EQ(licence("activate", key, on("b")).integer("/activations"), 2);
  EXPECT_EQ(licence("activate", key, on("c")).code(), "ACTIVATION_LIMIT");
  EXPECT_EQ(licence("validate", key, R"(,"fingerprint":"a")").text("/status"), "ACTIVE");
  EXPECT_EQ(licence("validate", key, R"(,"fingerprint":"c")").text("/status"), "NOT_ACTIVATED");
  EXPECT_EQ(licence("deactivate", key, R"(,"fingerprint":"a")").integer("/activations"), 1);
  EXPECT_EQ(licence("activate", key, on("c")).status, 200);
  const std::string key_id = admin.get("/api/data/delivery-key?status=ASSIGNED").text("/items/0/id");
  const std::string path = fmt::format("/api/data/delivery-key/{}/activation", key_id);
  const HttpReply list = admin.get(path);
  EXPECT_EQ(list.size("/items"), 2u);
  EXPECT_EQ(admin.del(fmt::format("{}/{}", path, list.text("/items/0/id"))).status, 204);
  EXPECT_EQ(licence("validate", key).integer("/activations"), 1);
  move(paid, "REFUNDED");
  EXPECT_EQ(licence("activate", key, on("d")).code(), "LICENCE_NOT_VALID");
  EXPECT_EQ(licence("validate", key).integer("/activations"), 0);
  EXPECT_EQ(licence("validate", "NOBODY-HAS-THIS").text("/status"), "UNKNOWN");
  const std::string unsold = "a key that nobody has bought";
  EXPECT_EQ(licence("activate", unsold, on("d")).code(), "LICENCE_NOT_VALID");
  EXPECT_EQ(anybody.post("/api/licences/validate", "{}").wrong_fields(), (std::vector<std::string>{"key", "tenantId"}));
}

TEST_P(Deliveries, are_shown_from_their_date_on) {
  const std::string id = product("P", R"(,"inventoryTracked":false)");
  add(id, R"({"kind":"TEXT","name":"Later","content":"secret words","availableAt":"2099-01-01T00:00:00.000Z"})");
  add(id, R"({"kind":"TEXT","name":"Now","content":"other words"})");
  const HttpReply shown = delivered(order(id, 1, "PAID"));
  EXPECT_EQ(shown.body.find("secret words"), std::string::npos);
  EXPECT_NE(shown.body.find("other words"), std::string::npos);
  EXPECT_NE(shown.body.find("2099-01-01"), std::string::npos);
}

// Keys, links and texts are nowhere but in the answers for the buyer.
TEST_P(Deliveries, leave_no_secret_in_lists_the_audit_trail_and_the_outbox) {
  const std::string id = product("P");
  const std::string pool = add_pool(id, 0);
  upload(id, pool, "SECRET-KEY-1\n");
  add(id, R"({"kind":"LINK","name":"Link","content":"https://secret-link.example.org/"})");
  const std::string paid = order(id, 1, "PAID");
  ASSERT_EQ(key_of(paid), "SECRET-KEY-1");
  std::string all;
  for (const char* path : {"/api/data/delivery-key", "/api/data/entitlement", "/api/data/order", "/api/data/product",
                           "/api/admin/audit"}) {
    const HttpReply reply = admin.get(path);
    EXPECT_EQ(reply.status, 200) << path;
    all += reply.body;
  }
  server.write([&](Tx& tx) {
    static const Sql outbox("SELECT payload FROM outbox_messages"), keys("SELECT key || key_hash FROM delivery_keys"),
        contents("SELECT content FROM deliverables WHERE content IS NOT NULL");
    for (const Sql* sql : {&outbox, &keys, &contents}) {
      tx.run({sql, {}}, [&](const Row& row) { all += row.text(0); });
    }
  });
  EXPECT_EQ(all.find("SECRET-KEY-1"), std::string::npos);
  EXPECT_EQ(all.find("secret-link"), std::string::npos);
  EXPECT_NE(all.find("delivery shown"), std::string::npos) << "the audit trail says who looked";
}

}  // namespace
}  // namespace guildhall
