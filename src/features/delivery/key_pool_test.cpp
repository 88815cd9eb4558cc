// The keys of a pool: uploads, reservation, assignment, and what happens without enough of them.
#include "features/delivery/deliverable.h"
#include "features/delivery/deliveries_test.h"
#include "support/eventually.h"

namespace guildhall {
namespace {

using test::HttpReply, test::numbered_keys;

class KeyPools : public test::DigitalShop {};
INSTANTIATE_TEST_SUITE_P(Pairs, KeyPools, test::engines, test::engine_name);

TEST_P(KeyPools, take_all_keys_of_an_upload_or_none) {
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

TEST_P(KeyPools, of_keys_are_reserved_assigned_and_given_back) {
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

TEST_P(KeyPools, give_back_the_stock_of_an_order_of_an_earlier_release) {
  const std::string id = test::product_with_stock(admin, "S", 5), placed = order(id, 2);
  server.write([&](Tx& tx) {
    static const Sql earlier("UPDATE orders SET stock_taken = $1");
    tx.run({&earlier, {fmt::format(R"([{{"productId":"{}","quantity":2}}])", id)}});
  });
  move(placed, "CANCELLED");
  EXPECT_EQ(stock(id), 5);
}

TEST_P(KeyPools, are_no_more_than_there_are_keys_when_a_product_with_stock_gets_a_pool) {
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

TEST_P(KeyPools, are_not_added_to_an_order_that_is_paid) {
  const std::string id = product("P");
  add_pool(id, 4);
  const std::string paid = order(id, 1, "PAID");
  const auto with = [&](int units) {
    return admin.patch("/api/data/order/" + paid, fmt::format(R"({{"items":[{}]}})", test::item(id, units, 500)));
  };
  EXPECT_EQ(with(3).code(), "ORDER_IS_PAID");
  EXPECT_EQ(stock(id), 3);
}

TEST_P(KeyPools, are_the_holders_and_not_the_buyers_when_they_are_given_by_hand) {
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

TEST_P(KeyPools, may_be_one_key_for_an_order) {
  const std::string id = product("P");
  add_pool(id, 5, R"(,"per":"ORDER")");
  const std::string paid = order(id, 3);
  EXPECT_EQ(stock(id), 2);
  move(paid, "PAID");
  EXPECT_EQ(delivered(paid).size("/parts/0/values"), 1u);
  EXPECT_EQ(stock(id), 4) << "it needed one of the three";
  EXPECT_EQ(admin.get("/api/data/delivery-key?status=FREE").size("/items"), 4u);
}

TEST_P(KeyPools, wait_for_keys_in_the_order_of_payment) {
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

TEST_P(KeyPools, are_made_for_an_item_that_is_given_by_hand) {
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

TEST_P(KeyPools, of_keys_can_be_removed_and_replaced) {
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

}  // namespace
}  // namespace guildhall
