#include <fmt/format.h>
#include <gtest/gtest.h>

#include "features/tenancy/guild_binding.h"
#include "outbox/verdict.h"
#include "support/eventually.h"
#include "support/stand_in.h"
#include "support/test_server.h"

namespace guildhall {
namespace {

using test::CheckedClient, test::HttpReply, test::StandInReply, test::StandInRequest, test::TestServer;

// A chat server with members and their roles, over real HTTP.
class ChatServer {
 public:
  ChatServer() {
    for (const char* method : {"PUT", "DELETE"}) {
      platform.on(method, "/guilds/*", [this](const StandInRequest& request) { return change(request); });
    }
    platform.on("GET", "/guilds/*", [this](const StandInRequest& request) { return show(request); });
  }

  bool has(const std::string& role) {
    const std::lock_guard lock(mutex_);
    return roles_.contains(role);
  }
  void set(const std::string& role, bool present) {
    const std::lock_guard lock(mutex_);
    present ? void(roles_.insert(role)) : void(roles_.erase(role));
  }
  // The reply to the next changes of roles; with status 0 they succeed again.
  void refuse(StandInReply reply) {
    const std::lock_guard lock(mutex_);
    refusal_ = std::move(reply);
  }

  test::StandIn platform;

 private:
  StandInReply change(const StandInRequest& request) {
    const std::lock_guard lock(mutex_);
    if (refusal_.status != 0) return refusal_;
    const std::string role = request.path.substr(request.path.rfind('/') + 1);
    if (request.method == "PUT") roles_.insert(role);
    if (request.method == "DELETE" && roles_.erase(role) == 0) {
      return {.status = 404, .body = R"({"code":10011,"message":"Unknown Role"})"};
    }
    return {.status = 204};
  }
  StandInReply show(const StandInRequest&) {
    const std::lock_guard lock(mutex_);
    std::string list;
    for (const std::string& role : roles_) list += fmt::format(R"({}"{}")", list.empty() ? "" : ",", role);
    return {.body = fmt::format(R"({{"user":{{"id":"7"}},"roles":[{}]}})", list)};
  }

  std::mutex mutex_;
  std::set<std::string> roles_;
  StandInReply refusal_{.status = 0};
};

class Entitlements : public ::testing::TestWithParam<test::Engine> {
 protected:
  Entitlements() {
    server.write([](Tx& tx) { bind_guild(tx, TenantId(std::string("default")), "900", now()); });
  }

  std::string product(const std::string& sku, const std::string& rest) {
    return admin
        .post("/api/data/product", fmt::format(R"({{"name":"{0}","sku":"{0}","priceCents":500{1}}})", sku, rest))
        .text("/id");
  }
  HttpReply order(const std::string& number, const std::string& product_id, const std::string& rest = "") {
    return admin.post(
        "/api/data/order",
        fmt::format(R"({{"orderNumber":"{}","customer":{{"name":"Ada","chatId":"7"}},"items":[)"
                    R"({{"productId":"{}","name":"VIP","sku":"V","quantity":2,"unitPriceCents":500}}]{}}})",
                    number, product_id, rest));
  }
  // Waits for an entitlement that fulfils the condition, and returns the first one in the list.
  HttpReply await(const std::string& id, const std::function<bool(const HttpReply&)>& condition) {
    HttpReply read;
    EXPECT_TRUE(test::eventually([&] { return condition(read = admin.get("/api/data/entitlement/" + id)); }))
        << read.body;
    return read;
  }
  HttpReply await_status(const std::string& id, const std::string& status) {
    return await(id, [&](const HttpReply& read) { return read.text("/status") == status; });
  }
  void await_role(const std::string& role, bool present) {
    EXPECT_TRUE(test::eventually([&] { return chat.has(role) == present; })) << role;
  }
  std::string only_entitlement() {
    const HttpReply list = admin.get("/api/data/entitlement");
    EXPECT_EQ(list.size("/items"), 1u) << list.body;
    return list.text("/items/0/id");
  }

  ChatServer chat;
  TestServer server{GetParam(), {{"CHAT_API_BASE_URL", chat.platform.url()}, {"CHAT_BOT_TOKEN", "bot-token-of-tests"}}};
  CheckedClient admin = server.admin();
};
INSTANTIATE_TEST_SUITE_P(Pairs, Entitlements, test::engines, test::engine_name);

TEST_P(Entitlements, are_made_read_changed_and_deleted_by_hand) {
  const HttpReply made =
      admin.post("/api/data/entitlement",
                 R"({"userId":"u","orderId":"o","productId":"p","type":"DIGITAL_ITEM","metadata":{"file":"a.zip"}})");
  ASSERT_EQ(made.status, 201) << made.body;
  EXPECT_EQ(made.text("/status"), "PENDING");
  EXPECT_EQ(made.text("/metadata/file"), "a.zip");
  EXPECT_TRUE(made.is_null("/grantedAt"));
  const std::string path = "/api/data/entitlement/" + made.text("/id");
  EXPECT_EQ(admin.get(path).body, made.body);
  const HttpReply granted = admin.patch(path, R"({"status":"GRANTED","metadata":null})");
  EXPECT_FALSE(granted.is_null("/grantedAt"));
  EXPECT_EQ(admin.patch(path, R"({"status":"FAILED"})").code(), "INVALID_TRANSITION");
  EXPECT_EQ(admin.patch(path, R"({"status":"REVOKED"})").text("/status"), "REVOKED");
  EXPECT_EQ(admin.patch(path, R"({"status":"GRANTED"})").code(), "INVALID_TRANSITION");
  EXPECT_EQ(admin.del(path).status, 204);
  EXPECT_EQ(admin.get(path).status, 404);
  EXPECT_EQ(admin.post("/api/data/entitlement", R"({"type":"MEDAL","metadata":[]})").wrong_fields(),
            (std::vector<std::string>{"metadata", "orderId", "productId", "type", "userId"}));
  server.add_tenant("other");
  CheckedClient other = server.admin("other");
  EXPECT_EQ(other.get(path).status, 404);
  EXPECT_EQ(other.get("/api/data/entitlement").size("/items"), 0u);
}

TEST_P(Entitlements, come_with_a_paid_order_once_and_go_with_its_refund) {
  const std::string customer =
      admin.post("/api/data/customer", R"({"chatId":"7","chatUsername":"ada","chatDisplayName":"Ada","userId":"u-7"})")
          .text("/id");
  const std::string vip = product("VIP", R"(,"grantedRoleIds":["41","42"],"isDigital":true,"inventoryTracked":false)");
  const std::string path =
      "/api/data/order/" + order("A", vip, fmt::format(R"(,"customerId":"{}")", customer)).text("/id");
  EXPECT_EQ(admin.get("/api/data/entitlement").size("/items"), 0u) << "not before it is paid";
  EXPECT_EQ(admin.patch(path, R"({"status":"PAID"})").status, 200);
  EXPECT_EQ(admin.patch(path, R"({"status":"FULFILLING"})").status, 200);
  HttpReply list = admin.get("/api/data/entitlement");
  ASSERT_EQ(list.size("/items"), 3u) << list.body;
  std::vector<std::string> ids;
  for (int i = 0; i < 3; ++i) {
    const std::string at = fmt::format("/items/{}", i);
    ids.push_back(list.text(at + "/id"));
    EXPECT_EQ(list.text(at + "/userId"), "u-7");
    EXPECT_EQ(list.text(at + "/customerId"), customer);
    EXPECT_EQ(list.text(at + "/chatUserId"), "7");
    EXPECT_EQ(list.text(at + "/productId"), vip);
  }
  for (const std::string& id : ids) EXPECT_FALSE(await_status(id, "GRANTED").is_null("/grantedAt"));
  EXPECT_TRUE(chat.has("41"));
  EXPECT_TRUE(chat.has("42"));
  const StandInRequest call = chat.platform.requests("/guilds/900/members/7/roles/41").at(0);
  EXPECT_EQ(call.method, "PUT");
  EXPECT_EQ(call.header("authorization"), "Bot bot-token-of-tests");

  chat.set("42", false);  // the role was removed already, which counts as done
  EXPECT_EQ(admin.patch(path, R"({"status":"REFUNDED"})").status, 200);
  for (const std::string& id : ids) EXPECT_EQ(admin.get("/api/data/entitlement/" + id).text("/status"), "REVOKED");
  await_role("41", false);
  for (const std::string& id : ids) {
    await(id,
          [](const HttpReply& read) { return read.text("/type") != "CHAT_ROLE" || !read.is_null("/lastAttemptAt"); });
    EXPECT_TRUE(admin.get("/api/data/entitlement/" + id).is_null("/failureReason"));
  }
}

TEST_P(Entitlements, keep_a_role_that_another_order_still_entitles_to) {
  const std::string vip = product("VIP", R"(,"grantedRoleIds":["41"],"inventoryTracked":false)");
  const std::string first = order("A", vip, R"(,"status":"PAID")").text("/id");
  order("B", vip, R"(,"status":"PAID")");
  for (std::size_t i = 0; i < 2; ++i) {
    await_status(admin.get("/api/data/entitlement").text(fmt::format("/items/{}/id", i)), "GRANTED");
  }
  const std::size_t before = chat.platform.requests().size();
  admin.patch("/api/data/order/" + first, R"({"status":"REFUNDED"})");
  ASSERT_TRUE(chat.platform.wait_for_requests(before + 1));
  for (const StandInRequest& request : chat.platform.requests()) EXPECT_EQ(request.method, "PUT");
  EXPECT_TRUE(chat.has("41"));
}

TEST_P(Entitlements, say_why_they_failed_and_are_tried_again_when_asked) {
  chat.refuse({.status = 403, .body = R"({"code":50013,"message":"Missing Permissions"})"});
  order("A", product("VIP", R"(,"grantedRoleIds":["41"],"inventoryTracked":false)"), R"(,"status":"PAID")");
  const std::string id = only_entitlement();
  const HttpReply failed = await_status(id, "FAILED");
  EXPECT_FALSE(failed.is_null("/lastAttemptAt"));
  EXPECT_NE(failed.text("/failureReason").find("lacks Manage Roles"), std::string::npos);
  EXPECT_NE(failed.text("/failureReason").find("does not stand above"), std::string::npos);
  chat.refuse({.status = 0});
  EXPECT_EQ(admin.patch("/api/data/entitlement/" + id, R"({"status":"PENDING"})").status, 200);
  EXPECT_TRUE(await_status(id, "GRANTED").is_null("/failureReason"));
  EXPECT_TRUE(chat.has("41"));
}

TEST_P(Entitlements, wait_as_long_as_the_platform_asks) {
  chat.refuse({.status = 429, .body = R"({"message":"slow down","retry_after":0.4,"global":false})"});
  order("A", product("VIP", R"(,"grantedRoleIds":["41"],"inventoryTracked":false)"), R"(,"status":"PAID")");
  const std::string id = only_entitlement();
  const HttpReply waiting = await(id, [](const HttpReply& read) { return !read.is_null("/failureReason"); });
  EXPECT_EQ(waiting.text("/status"), "PENDING");
  chat.refuse({.status = 0});
  const HttpReply outbox = admin.get("/api/admin/outbox?status=PENDING");
  for (std::size_t i = 0; i < outbox.size("/items"); ++i) {  // an admin need not wait for the next attempt
    admin.post("/api/admin/outbox/" + outbox.text(fmt::format("/items/{}/id", i)) + "/retry", "{}");
  }
  EXPECT_EQ(await_status(id, "GRANTED").text("/status"), "GRANTED");
}

TEST_P(Entitlements, wait_no_longer_than_the_maximum_when_the_platform_asks_for_years) {
  chat.refuse({.status = 429, .body = R"({"message":"slow down","retry_after":1e11,"global":true})"});
  order("A", product("VIP", R"(,"grantedRoleIds":["41"],"inventoryTracked":false)"), R"(,"status":"PAID")");
  await(only_entitlement(), [](const HttpReply& read) { return !read.is_null("/failureReason"); });
  const HttpReply outbox = admin.get("/api/admin/outbox?status=PENDING");
  ASSERT_EQ(outbox.size("/items"), 1u);
  EXPECT_LE(*parse_instant(outbox.text("/items/0/dueAt")), now() + outbox::requested_wait_max);
  EXPECT_EQ(chat.platform.requests().size(), 1u);
}

TEST_P(Entitlements, of_an_unknown_buyer_wait_and_say_so) {
  const std::string vip = product("VIP", R"(,"grantedRoleIds":["41"],"inventoryTracked":false)");
  admin.post("/api/data/order",
             fmt::format(R"({{"orderNumber":"A","status":"PAID","customer":{{"name":"Ada"}},"items":[)"
                         R"({{"productId":"{}","name":"VIP","sku":"V","quantity":1,"unitPriceCents":500}}]}})",
                         vip));
  const std::string id = only_entitlement();
  HttpReply read = admin.get("/api/data/entitlement/" + id);
  EXPECT_EQ(read.text("/status"), "PENDING");
  EXPECT_NE(read.text("/failureReason").find("not known"), std::string::npos);
  admin.patch("/api/data/entitlement/" + id, R"({"chatUserId":"7"})");
  EXPECT_EQ(await_status(id, "GRANTED").text("/chatUserId"), "7");
}

TEST_P(Entitlements, are_compared_with_the_chat_server_and_drift_is_repaired) {
  const std::string vip = product("VIP", R"(,"grantedRoleIds":["41","42"],"inventoryTracked":false)");
  const std::string path = "/api/data/order/" + order("A", vip, R"(,"status":"PAID")").text("/id");
  await_role("41", true);
  await_role("42", true);
  for (std::size_t i = 0; i < 2; ++i) {
    await_status(admin.get("/api/data/entitlement").text(fmt::format("/items/{}/id", i)), "GRANTED");
  }
  chat.set("41", false);  // lost
  chat.set("99", true);   // no entitlement names this role
  EXPECT_EQ(admin.post("/api/admin/entitlements/reconcile", "{}").integer("/queued"), 1);
  await_role("41", true);
  admin.patch(path, R"({"status":"REFUNDED"})");
  await_role("41", false);
  await_role("42", false);
  chat.set("42", true);  // came back
  EXPECT_EQ(admin.post("/api/admin/entitlements/reconcile", "{}").integer("/queued"), 1);
  await_role("42", false);
  EXPECT_TRUE(chat.has("99"));
}

TEST_P(Entitlements, take_their_role_with_them_when_they_are_deleted) {
  order("A", product("VIP", R"(,"grantedRoleIds":["41"],"inventoryTracked":false)"), R"(,"status":"PAID")");
  await_role("41", true);
  EXPECT_EQ(admin.del("/api/data/entitlement/" + only_entitlement()).status, 204);
  await_role("41", false);
}

}  // namespace
}  // namespace guildhall
