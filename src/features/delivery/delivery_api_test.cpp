#include <fmt/format.h>
#include <gtest/gtest.h>
#include <set>

#include "base/crypto.h"
#include "base/encoding.h"
#include "base/text.h"
#include "features/delivery/deliverable.h"
#include "features/delivery/deliveries_test.h"

namespace guildhall {
namespace {

using test::CheckedClient, test::HttpReply, test::numbered_keys;

class Deliveries : public test::DigitalShop {};

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

TEST_P(Deliveries, with_keys_are_three_at_most_beside_others) {
  const std::string id = product("P", R"(,"inventoryTracked":false)");
  const auto post = [&](const std::string& body) { return admin.post(deliverables(id), body); };
  for (int i = 0; i < 3; ++i) add(id, R"({"kind":"KEY_GENERATED","name":"Key","pattern":"XXXXXXXXXXXX"})");
  EXPECT_EQ(post(R"({"kind":"KEY_GENERATED","name":"Key"})").code(), "TOO_MANY_DELIVERABLES");
  for (int i = 3; i < 20; ++i) add(id, R"({"kind":"TEXT","name":"Words","content":"x"})");
  EXPECT_EQ(post(R"({"kind":"TEXT","name":"Words","content":"x"})").code(), "TOO_MANY_DELIVERABLES");
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
  EXPECT_EQ(licence("validate", "NEVER-SOLD").text("/status"), "UNKNOWN");
  const std::string unsold = "NEVER-SOLD-EITHER";
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
  EXPECT_EQ(all.find(hex(sha256("secret-key-1"))), std::string::npos) << "short keys could be guessed";
  EXPECT_EQ(all.find("secret-link"), std::string::npos);
  EXPECT_NE(all.find("delivery shown"), std::string::npos) << "the audit trail says who looked";
}

}  // namespace
}  // namespace guildhall
