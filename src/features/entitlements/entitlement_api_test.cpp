#include <fmt/format.h>
#include <gtest/gtest.h>

#include "features/tenancy/guild_binding.h"
#include "outbox/verdict.h"
#include "sandbox/chat_platform.h"
#include "support/eventually.h"
#include "support/test_sandbox.h"
#include "support/test_server.h"

namespace guildhall {
namespace {

using test::CheckedClient, test::HttpReply, test::TestServer;

class Entitlements : public ::testing::TestWithParam<test::Engine> {
 protected:
  Entitlements() {
    sandbox.add_member("7");
    for (const char* role : {"41", "42", "99"}) sandbox.add_role(role);
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
    EXPECT_TRUE(test::eventually([&] { return has_role(role) == present; })) << role;
  }

  // Whether the member has the role on the chat server.
  bool has_role(const std::string& role) {
    return sandbox.run(
        [&](sandbox::World& world) { return std::ranges::count(world.chat->guild.find_member("7")->roles, role) > 0; });
  }
  void set_role(const std::string& role, bool present) {
    sandbox.run([&](sandbox::World& world) {
      std::vector<std::string>& roles = world.chat->guild.find_member("7")->roles;
      std::erase(roles, role);
      if (present) roles.push_back(role);
    });
  }
  // The bot may assign roles below its own only.
  void set_position(const std::string& role, int position) {
    sandbox.run([&](sandbox::World& world) {
      std::ranges::find(world.chat->guild.roles, role, &sandbox::Role::id)->position = position;
    });
  }
  // The platform answers like this when roles are changed.
  void answer_changes(int status, const std::string& body) {
    sandbox.answer("chat", "/guilds/*/members/*/roles/*", status, body);
  }
  std::string only_entitlement() {
    const HttpReply list = admin.get("/api/data/entitlement");
    EXPECT_EQ(list.size("/items"), 1u) << list.body;
    return list.text("/items/0/id");
  }

  test::TestSandbox sandbox{"900"};
  TestServer server{GetParam(), sandbox.environment("CHAT_")};
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

TEST_P(Entitlements, of_staff_give_only_roles_that_a_product_grants) {
  CheckedClient staff = server.member("default", "TenantStaff");
  const auto make = [](CheckedClient& caller, const std::string& role) {
    return caller.post("/api/data/entitlement",
                       fmt::format(R"({{"userId":"u","orderId":"o","productId":"p","type":"CHAT_ROLE","roleId":"{}",)"
                                   R"("chatUserId":"7"}})",
                                   role));
  };
  const std::string vip = product("VIP", R"(,"grantedRoleIds":["41"],"inventoryTracked":false)");
  const HttpReply refused = make(staff, "99");
  EXPECT_EQ(refused.status, 403);
  EXPECT_EQ(refused.code(), "ROLE_NOT_OFFERED");
  EXPECT_EQ(make(staff, "41").status, 201);
  const HttpReply by_admin = make(admin, "99");
  ASSERT_EQ(by_admin.status, 201) << by_admin.body;
  const std::string one = "/api/data/entitlement/" + by_admin.text("/id"), mug = "/api/data/product/" + vip;
  EXPECT_EQ(staff.patch(one, R"({"chatUserId":"8"})").code(), "ROLE_NOT_OFFERED") << "nor to somebody else";
  EXPECT_EQ(staff.patch(one, R"({"metadata":{"note":"n"}})").status, 200);
  EXPECT_EQ(staff.patch(one, R"({"roleId":"41"})").status, 200);
  EXPECT_EQ(staff.patch(one, R"({"status":"REVOKED"})").status, 200);

  EXPECT_EQ(staff.patch(mug, R"({"grantedRoleIds":["41","99"]})").code(), "ROLE_NOT_OFFERED");
  const std::string more = R"({"name":"n","sku":"n","priceCents":1,"grantedRoleIds":["99"]})";
  EXPECT_EQ(staff.post("/api/data/product", more).code(), "ROLE_NOT_OFFERED");
  EXPECT_EQ(admin.post("/api/data/product", more).status, 201);
  EXPECT_EQ(staff.patch(mug, R"({"grantedRoleIds":["41","99"],"name":"Gold"})").status, 200) << "an admin offers it";
  EXPECT_EQ(staff.patch(mug, R"({"grantedRoleIds":[]})").status, 200);
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
  EXPECT_TRUE(has_role("41"));
  EXPECT_TRUE(has_role("42"));

  sandbox.run([](sandbox::World& world) {  // the role was deleted, which counts as done
    std::erase_if(world.chat->guild.roles, [](const sandbox::Role& role) { return role.id == "42"; });
  });
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
  const std::int64_t before = sandbox.arrived("chat");
  admin.patch("/api/data/order/" + first, R"({"status":"REFUNDED"})");
  ASSERT_TRUE(test::eventually([&] { return sandbox.arrived("chat") > before; }));
  for (const sandbox::Call& call : sandbox.calls("chat")) EXPECT_EQ(call.method, "PUT");
  EXPECT_TRUE(has_role("41"));
}

TEST_P(Entitlements, say_why_they_failed_and_are_tried_again_when_asked) {
  set_position("41", sandbox::bot_role_position);
  order("A", product("VIP", R"(,"grantedRoleIds":["41"],"inventoryTracked":false)"), R"(,"status":"PAID")");
  const std::string id = only_entitlement();
  const HttpReply failed = await_status(id, "FAILED");
  EXPECT_FALSE(failed.is_null("/lastAttemptAt"));
  EXPECT_NE(failed.text("/failureReason").find("lacks Manage Roles"), std::string::npos);
  EXPECT_NE(failed.text("/failureReason").find("does not stand above"), std::string::npos);
  set_position("41", 1);
  EXPECT_EQ(admin.patch("/api/data/entitlement/" + id, R"({"status":"PENDING"})").status, 200);
  EXPECT_TRUE(await_status(id, "GRANTED").is_null("/failureReason"));
  EXPECT_TRUE(has_role("41"));
}

TEST_P(Entitlements, wait_as_long_as_the_platform_asks) {
  answer_changes(429, R"({"message":"slow down","retry_after":0.4,"global":false})");
  order("A", product("VIP", R"(,"grantedRoleIds":["41"],"inventoryTracked":false)"), R"(,"status":"PAID")");
  const std::string id = only_entitlement();
  const HttpReply waiting = await(id, [](const HttpReply& read) { return !read.is_null("/failureReason"); });
  EXPECT_EQ(waiting.text("/status"), "PENDING");
  sandbox.recover("chat");
  const HttpReply outbox = admin.get("/api/admin/outbox?status=PENDING");
  for (std::size_t i = 0; i < outbox.size("/items"); ++i) {  // an admin need not wait for the next attempt
    admin.post("/api/admin/outbox/" + outbox.text(fmt::format("/items/{}/id", i)) + "/retry", "{}");
  }
  EXPECT_EQ(await_status(id, "GRANTED").text("/status"), "GRANTED");
}

TEST_P(Entitlements, wait_no_longer_than_the_maximum_when_the_platform_asks_for_years) {
  answer_changes(429, R"({"message":"slow down","retry_after":1e11,"global":true})");
  order("A", product("VIP", R"(,"grantedRoleIds":["41"],"inventoryTracked":false)"), R"(,"status":"PAID")");
  await(only_entitlement(), [](const HttpReply& read) { return !read.is_null("/failureReason"); });
  const HttpReply outbox = admin.get("/api/admin/outbox?status=PENDING");
  ASSERT_EQ(outbox.size("/items"), 1u);
  EXPECT_LE(*parse_instant(outbox.text("/items/0/dueAt")), now() + outbox::requested_wait_max);
  EXPECT_EQ(sandbox.arrived("chat"), 1);
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
  set_role("41", false);  // lost
  set_role("99", true);   // no entitlement names this role
  EXPECT_EQ(admin.post("/api/admin/entitlements/reconcile", "{}").integer("/queued"), 1);
  await_role("41", true);
  admin.patch(path, R"({"status":"REFUNDED"})");
  await_role("41", false);
  await_role("42", false);
  set_role("42", true);  // came back
  EXPECT_EQ(admin.post("/api/admin/entitlements/reconcile", "{}").integer("/queued"), 1);
  await_role("42", false);
  EXPECT_TRUE(has_role("99"));
}

TEST_P(Entitlements, take_their_role_with_them_when_they_are_deleted) {
  order("A", product("VIP", R"(,"grantedRoleIds":["41"],"inventoryTracked":false)"), R"(,"status":"PAID")");
  await_role("41", true);
  EXPECT_EQ(admin.del("/api/data/entitlement/" + only_entitlement()).status, 204);
  await_role("41", false);
}

}  // namespace
}  // namespace guildhall
