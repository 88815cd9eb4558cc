#include <fmt/format.h>
#include <gtest/gtest.h>
#include <thread>

#include "storage/columns.h"
#include "support/test_server.h"

namespace guildhall {
namespace {

using test::CheckedClient, test::HttpReply;

std::string new_user(std::string_view username) {
  return fmt::format(R"({{"username":"{}","displayName":"Ada"}})", username);
}

std::string id_of(CheckedClient& client) {
  return client.get("/auth/me").text("/session/user/userId");
}

class Users : public test::OnEachPair {
 protected:
  std::string created(std::string_view username = "ada") {
    return admin.post("/api/data/user", new_user(username)).text("/id");
  }
  HttpReply grant(CheckedClient& by, const std::string& user, std::string_view keys) {
    return by.put("/api/admin/grants/" + user, fmt::format(R"({{"keys":[{}]}})", keys));
  }
  HttpReply log_in(CheckedClient& client, std::string_view username, std::string_view password) {
    return client.post("/auth/local/login",
                       fmt::format(R"({{"username":"{}","password":"{}","tenantId":"default"}})", username, password));
  }

  CheckedClient admin = server.admin();
};
INSTANTIATE_TEST_SUITE_P(Pairs, Users, test::engines, test::engine_name);

TEST_P(Users, can_have_fields_set_to_null) {
  const std::string path = "/api/data/user/" + created();
  admin.patch(path, R"({"roles":["cook"],"isAdmin":true})");
  const HttpReply cleared = admin.patch(path, R"({"roles":null,"isAdmin":null})");
  EXPECT_EQ(cleared.status, 200);
  EXPECT_EQ(cleared.size("/roles"), 0u);
  EXPECT_FALSE(cleared.boolean("/isAdmin"));
  EXPECT_EQ(admin.patch("/api/data/tenant/default", R"({"adminUserIds":null})").size("/adminUserIds"), 0u);
}

TEST_P(Users, have_a_name_of_their_own_whatever_its_case) {
  const std::string id = created("Zoë");
  const std::string other = created("bob");
  EXPECT_EQ(admin.post("/api/data/user", new_user("ZOË")).code(), "USERNAME_TAKEN");
  EXPECT_EQ(admin.post("/api/data/user", new_user("ADMIN")).code(), "USERNAME_TAKEN");
  EXPECT_EQ(admin.patch("/api/data/user/" + other, R"({"username":"zoë"})").code(), "USERNAME_TAKEN");
  EXPECT_EQ(admin.patch("/api/data/user/" + other, R"({"username":"Admin"})").code(), "USERNAME_TAKEN");
  EXPECT_EQ(admin.patch("/api/data/user/" + id, R"({"username":"zoË"})").text("/username"), "zoË");
  EXPECT_EQ(admin.put("/api/data/user/" + id + "/password", R"({"password":"correct horse"})").status, 204);
  CheckedClient client = server.client();
  EXPECT_EQ(log_in(client, "ZoË", "correct horse").text("/session/user/userId"), id);
  EXPECT_EQ(log_in(client, "aDmIn", test::admin_password).status, 200);
}

TEST_P(Users, are_locked_out_whatever_the_case_of_the_name) {
  const std::string rest = make_uuid(now());  // locks are shared by all tests with this Redis
  const std::string id = created("ada" + rest);
  ASSERT_EQ(admin.put("/api/data/user/" + id + "/password", R"({"password":"correct horse"})").status, 204);
  CheckedClient client = server.client();
  for (const std::string name : {"ada", "Ada", "ADA", "aDa", "adA"}) {
    EXPECT_EQ(log_in(client, name + rest, "wrong").status, 400);
  }
  EXPECT_EQ(log_in(client, "ada" + rest, "correct horse").status, 400) << "five guesses are all there are";
}

// Names that differ only in case could be given before; both users keep theirs.
TEST_P(Users, with_names_from_before_case_was_ignored_can_still_sign_in) {
  static const Sql make_old("UPDATE users SET username = $2, username_key = NULL WHERE id = $1");
  const std::string first = created("ada"), second = created("bob");
  for (const std::string& id : {first, second}) {
    ASSERT_EQ(admin.put("/api/data/user/" + id + "/password", R"({"password":"correct horse"})").status, 204);
  }
  server.write([&](Tx& tx) {
    tx.run({&make_old, params(first, std::string("Ada"))});
    tx.run({&make_old, params(second, std::string("ADA"))});
  });
  server.restart();
  CheckedClient client = server.client();
  EXPECT_EQ(log_in(client, "Ada", "correct horse").text("/session/user/userId"), first);
  EXPECT_EQ(log_in(client, "ADA", "correct horse").text("/session/user/userId"), second);
  EXPECT_EQ(log_in(client, "ada", "correct horse").text("/session/user/userId"), first) << "the older one";
  CheckedClient again = server.admin();
  EXPECT_EQ(again.post("/api/data/user", new_user("adA")).code(), "USERNAME_TAKEN");
  EXPECT_EQ(again.patch("/api/data/user/" + second, R"({"displayName":"Second"})").status, 200);
}

TEST_P(Users, become_staff_by_their_shops_admin) {
  CheckedClient owner = server.member("default", "TenantAdmin");
  EXPECT_EQ(grant(owner, created(), R"("TenantStaff")").status, 200);
  EXPECT_EQ(grant(owner, created("eve"), R"("PlatformAdmin")").status, 403);
}

TEST_P(Users, are_created_read_changed_listed_and_deleted) {
  const HttpReply made = admin.post(
      "/api/data/user",
      R"({"username":"ada","displayName":"Ada","email":"ada@example.com","avatarUrl":"https://example.com/a.png","roles":["cook"],"passwordHash":"x"})");
  ASSERT_EQ(made.status, 201) << made.body;
  EXPECT_EQ(made.text("/tenantId"), "default");
  EXPECT_EQ(made.text("/roles/0"), "cook");
  EXPECT_FALSE(made.boolean("/isAdmin"));
  EXPECT_FALSE(made.has("/passwordHash"));
  const std::string path = "/api/data/user/" + made.text("/id");
  EXPECT_EQ(admin.post("/api/data/user", new_user("ada")).code(), "USERNAME_TAKEN");
  EXPECT_EQ(admin.post("/api/data/user", new_user("admin")).code(), "USERNAME_TAKEN");
  EXPECT_EQ(admin.post("/api/data/user", R"({"avatarUrl":"nowhere","email":"x"})").wrong_fields(),
            (std::vector<std::string>{"avatarUrl", "displayName", "email", "username"}));

  const HttpReply read = admin.get(path);
  const HttpReply changed =
      admin.patch(path, R"({"displayName":"Countess","email":null})", {{"If-Match", read.header("etag")}});
  EXPECT_EQ(changed.text("/displayName"), "Countess");
  EXPECT_TRUE(changed.is_null("/email"));
  EXPECT_EQ(admin.patch(path, R"({"displayName":"x"})", {{"If-Match", read.header("etag")}}).status, 412);
  EXPECT_EQ(admin.patch(path, R"({"username":"admin"})").code(), "USERNAME_TAKEN");
  created("grace");
  EXPECT_EQ(admin.patch(path, R"({"username":"grace"})").code(), "USERNAME_TAKEN");

  const HttpReply page = admin.get("/api/data/user?limit=1");
  EXPECT_EQ(page.text("/items/0/username"), "grace");
  EXPECT_EQ(admin.get("/api/data/user?limit=1&cursor=" + page.text("/nextCursor")).text("/items/0/username"), "ada");

  EXPECT_EQ(admin.del(path, {{"If-Match", read.header("etag")}}).status, 412);
  EXPECT_EQ(admin.del(path).status, 204);
  EXPECT_EQ(admin.get(path).status, 404);
  EXPECT_EQ(admin.del(path).status, 404);
}

TEST_P(Users, sign_in_with_a_password_that_an_admin_sets) {
  const std::string path = "/api/data/user/" + created();
  CheckedClient ada = server.client();
  EXPECT_EQ(log_in(ada, "ada", "").status, 400);
  EXPECT_EQ(log_in(ada, "ada", "long enough").code(), "INVALID_CREDENTIALS");
  EXPECT_EQ(admin.put(path + "/password", R"({"password":"7 chars"})").wrong_fields(),
            std::vector<std::string>{"password"});
  EXPECT_EQ(admin.put(path + "/password", R"({"password":"long enough"})").status, 204);
  EXPECT_EQ(log_in(ada, "ada", "long enough").status, 200);
  EXPECT_EQ(ada.get("/api/data/user").status, 403);
  EXPECT_EQ(admin.put(path + "/password", R"({"password":"even longer"})").status, 204);
  EXPECT_EQ(ada.get("/auth/me").status, 401) << "a password change ends the sessions";
  EXPECT_EQ(log_in(ada, "ada", "long enough").status, 400);
  EXPECT_EQ(log_in(ada, "ada", "even longer").status, 200);
  EXPECT_EQ(admin.del(path + "/sessions").status, 204);
  EXPECT_EQ(ada.get("/auth/me").status, 401) << "so does an admin";
  EXPECT_EQ(admin.put("/api/data/user/nobody/password", R"({"password":"long enough"})").status, 404);
}

TEST_P(Users, have_changed_grants_in_their_present_sessions) {
  CheckedClient ada = server.member("default");
  CheckedClient elsewhere = ada;
  EXPECT_EQ(ada.get("/api/data/customer").status, 403);
  const std::string id = id_of(ada);
  const HttpReply granted = grant(admin, id, R"("TenantStaff","data.read","TenantStaff")");
  EXPECT_EQ(granted.status, 200) << granted.body;
  EXPECT_EQ(granted.size("/keys"), 2u);
  EXPECT_EQ(admin.get("/api/admin/grants/" + id).body, granted.body);
  EXPECT_EQ(ada.get("/api/data/customer").status, 200);
  EXPECT_EQ(ada.get("/auth/me").size("/session/permissionKeys"), 3u) << "TenantStaff, data.read, data.write";
  EXPECT_EQ(grant(admin, id, "").status, 200);
  EXPECT_EQ(ada.get("/api/data/customer").status, 403);
  EXPECT_EQ(elsewhere.get("/api/data/customer").status, 403);
  EXPECT_EQ(admin.del("/api/data/user/" + id).status, 204);
  EXPECT_EQ(ada.get("/auth/me").status, 401) << "who is deleted is signed out";
}

TEST_P(Users, keep_grants_that_somebody_else_has_added_meanwhile) {
  const std::string path = "/api/admin/grants/" + created();
  const std::string read = admin.get(path).header("etag");
  const HttpReply first = admin.put(path, R"({"keys":["data.read"]})", {{"If-Match", read}});
  EXPECT_EQ(first.status, 200);
  EXPECT_NE(first.header("etag"), read);
  EXPECT_EQ(admin.get(path).header("etag"), first.header("etag"));
  EXPECT_EQ(admin.put(path, R"({"keys":["data.write"]})", {{"If-Match", read}}).status, 412);
  EXPECT_EQ(admin.get(path).text("/keys/0"), "data.read");
  EXPECT_EQ(admin.put(path, R"({"keys":["data.read","data.write"]})", {{"If-Match", first.header("etag")}}).status,
            200);
}

TEST_P(Users, are_granted_only_what_the_granter_holds) {
  CheckedClient boss = server.member("default", "TenantAdmin");
  CheckedClient clerk = server.member("default", "admin.access");
  CheckedClient ada = server.member("default");
  const std::string id = id_of(ada), boss_id = id_of(boss), clerk_id = id_of(clerk);
  EXPECT_EQ(grant(clerk, id, R"("admin.access")").status, 200);
  EXPECT_EQ(grant(clerk, id, R"("admin.access","data.read")").status, 403);
  EXPECT_EQ(grant(clerk, clerk_id, R"("admin.access","TenantAdmin")").status, 403) << "nobody raises their own";
  EXPECT_EQ(grant(boss, id, R"("TenantAdmin","data.read")").status, 200);
  EXPECT_EQ(grant(boss, id, R"("PlatformAdmin")").status, 403);
  EXPECT_EQ(grant(boss, id_of(admin), "").status, 403) << "nor takes a PlatformAdmin's away";
  EXPECT_EQ(grant(boss, id, R"("treasurer")").status, 200) << "a TenantAdmin gives what the tenant has made up";
  EXPECT_EQ(grant(admin, id, R"("accountant")").status, 200) << "a PlatformAdmin holds everything";
  EXPECT_EQ(grant(admin, id_of(admin), R"("PlatformAdmin","TenantAdmin","treasurer")").status, 403);
  const std::string longest(64, 'k');
  EXPECT_EQ(grant(boss, id, fmt::format(R"("{}")", longest)).status, 200);
  for (const std::string& wrong : {std::string("not a key"), std::string(), longest + "k", std::string("schlüssel")}) {
    EXPECT_EQ(grant(boss, id, fmt::format(R"("treasurer","{}")", wrong)).wrong_fields(),
              std::vector<std::string>{"keys[1]"});
  }
  EXPECT_EQ(grant(boss, "nobody", "").status, 404);

  EXPECT_EQ(clerk.put("/api/data/user/" + boss_id + "/password", R"({"password":"now I am you"})").status, 403);
  EXPECT_EQ(clerk.del("/api/data/user/" + boss_id).status, 403);
  EXPECT_EQ(boss.put("/api/data/user/" + clerk_id + "/password", R"({"password":"quite alright"})").status, 204);
}

TEST_P(Users, of_another_tenant_are_granted_things_by_a_platform_admin_alone) {
  server.add_tenant("other");
  CheckedClient ada = server.member("default");
  CheckedClient boss = server.member("other", "TenantAdmin");
  CheckedClient above = server.admin("other");
  const std::string id = id_of(ada);
  EXPECT_EQ(grant(boss, id, R"("data.read")").status, 404);
  EXPECT_EQ(boss.get("/api/admin/grants/" + id).status, 404);
  EXPECT_EQ(grant(above, id, R"("TenantAdmin")").status, 200);
  EXPECT_EQ(grant(above, id, R"("PlatformAdmin")").status, 400) << "that is granted in the default tenant";
  EXPECT_EQ(grant(boss, id_of(boss), R"("TenantAdmin","PlatformAdmin")").status, 403) << "and by PlatformAdmins alone";
  EXPECT_EQ(grant(boss, id, R"("PlatformAdmin","TenantAdmin")").status, 403);

  CheckedClient home_boss = server.member("default", "TenantAdmin");
  EXPECT_EQ(home_boss.put("/api/data/user/" + id + "/password", R"({"password":"now I am you"})").status, 403)
      << "who could sign in as her would be admin of the other tenant";
}

TEST_P(Users, always_leave_a_tenant_admin) {
  server.add_tenant("shop");
  CheckedClient ann = server.member("shop", "TenantAdmin");
  const std::string ann_id = id_of(ann);
  EXPECT_EQ(grant(ann, ann_id, R"("data.read")").code(), "LAST_TENANT_ADMIN");
  EXPECT_EQ(ann.del("/api/data/user/" + ann_id).status, 409);
  CheckedClient bob = server.member("shop", "TenantAdmin");
  const std::string bob_id = id_of(bob);
  std::array<int, 2> statuses{};
  std::thread first([&] { statuses[0] = grant(ann, bob_id, "").status; });
  std::thread second([&] { statuses[1] = grant(bob, ann_id, "").status; });
  first.join();
  second.join();
  EXPECT_EQ(std::count(statuses.begin(), statuses.end(), 200), 1) << statuses[0] << " " << statuses[1];
}

class Tenants : public test::OnEachPair {
 protected:
  HttpReply create(std::string_view id, std::string_view owner = "u-1") {
    return admin.post("/api/data/tenant",
                      fmt::format(R"({{"tenantId":"{}","name":"A shop","ownerUserId":"{}"}})", id, owner));
  }

  CheckedClient admin = server.admin();
};
INSTANTIATE_TEST_SUITE_P(Pairs, Tenants, test::engines, test::engine_name);

TEST_P(Tenants, are_created_read_changed_listed_and_deleted) {
  const HttpReply made = create("shop-1");
  ASSERT_EQ(made.status, 201) << made.body;
  EXPECT_EQ(made.text("/id"), "shop-1");
  EXPECT_EQ(made.text("/tenantId"), "shop-1");
  EXPECT_EQ(made.size("/adminUserIds"), 0u);
  EXPECT_EQ(create("shop-1").code(), "TENANT_ID_TAKEN");
  EXPECT_EQ(create("no spaces").wrong_fields(), std::vector<std::string>{"tenantId"});
  EXPECT_EQ(admin.post("/api/data/tenant", "{}").wrong_fields(),
            (std::vector<std::string>{"name", "ownerUserId", "tenantId"}));
  const HttpReply read = admin.get("/api/data/tenant/shop-1");
  EXPECT_EQ(read.body, made.body);
  EXPECT_EQ(admin.patch("/api/data/tenant/shop-1", R"({"name":"The shop","tenantId":"shop-1"})").text("/name"),
            "The shop");
  EXPECT_EQ(admin.patch("/api/data/tenant/shop-1", R"({"name":"x","tenantId":"default"})").code(), "TENANT_MISMATCH");
  EXPECT_EQ(admin.patch("/api/data/tenant/shop-1", R"({"name":null})").status, 400);
  EXPECT_EQ(admin.patch("/api/data/tenant/shop-1", R"({"name":"x"})", {{"If-Match", read.header("etag")}}).status, 412);
  EXPECT_EQ(admin.get("/api/data/tenant").size("/items"), 2u);
  EXPECT_EQ(admin.get("/api/data/tenant?limit=1").text("/items/0/id"), "shop-1");
  EXPECT_EQ(admin.del("/api/data/tenant/shop-1", {{"If-Match", read.header("etag")}}).status, 412);
  EXPECT_EQ(admin.del("/api/data/tenant/shop-1").status, 204);
  EXPECT_EQ(admin.get("/api/data/tenant/shop-1").status, 404);
  EXPECT_EQ(create("shop-1").code(), "TENANT_ID_TAKEN") << "its records still lie under the id";
  EXPECT_EQ(admin.del("/api/data/tenant/default").status, 409);
}

TEST_P(Tenants, take_an_idempotency_key) {
  const test::HttpHeaders key{{"Idempotency-Key", "k"}};
  const std::string body = R"({"tenantId":"twice","name":"A shop","ownerUserId":"u"})";
  EXPECT_EQ(admin.post("/api/data/tenant", body, key).status, 201);
  const HttpReply again = admin.post("/api/data/tenant", body, key);
  EXPECT_EQ(again.status, 201);
  EXPECT_EQ(again.header("idempotent-replayed"), "true");
}

TEST_P(Tenants, are_seen_by_their_own_admins_only) {
  create("mine");
  create("theirs");
  CheckedClient boss = server.member("mine", "TenantAdmin");
  EXPECT_EQ(boss.get("/api/data/tenant").size("/items"), 1u);
  EXPECT_EQ(boss.get("/api/data/tenant/mine").status, 200);
  EXPECT_EQ(boss.get("/api/data/tenant/theirs").body, boss.get("/api/data/tenant/nothing").body);
  EXPECT_EQ(boss.patch("/api/data/tenant/theirs", R"({"name":"x"})").status, 404);
  EXPECT_EQ(boss.patch("/api/data/tenant/mine", R"({"name":"Ours"})").text("/name"), "Ours");
  EXPECT_EQ(boss.post("/api/data/tenant", R"({"tenantId":"x","name":"x","ownerUserId":"x"})").status, 403);
  EXPECT_EQ(boss.del("/api/data/tenant/mine").status, 403);
  CheckedClient staff = server.member("mine", "TenantStaff");
  EXPECT_EQ(staff.get("/api/data/tenant/mine").status, 403);
}

TEST_P(Tenants, that_are_deleted_let_nobody_in) {
  create("gone");
  CheckedClient boss = server.member("gone", "TenantAdmin");
  EXPECT_EQ(boss.get("/api/data/customer").status, 200);
  ASSERT_EQ(admin.del("/api/data/tenant/gone").status, 204);
  EXPECT_EQ(boss.get("/api/data/customer").status, 401);
  EXPECT_EQ(admin.post("/auth/tenant", R"({"tenantId":"gone"})").code(), "TENANT_ACCESS_DENIED");
}

TEST_P(Tenants, with_orders_are_not_deleted) {
  create("busy");
  CheckedClient boss = server.admin("busy");
  ASSERT_EQ(
      boss.post("/api/data/order", R"({"orderNumber":"1","items":[{"productId":"p","name":"n","sku":"s","quantity":1,)"
                                   R"("unitPriceCents":1}],"customer":{"name":"Ada"}})")
          .status,
      201);
  EXPECT_EQ(admin.del("/api/data/tenant/busy").code(), "TENANT_HAS_ORDERS");
  EXPECT_EQ(boss.get("/api/data/order").size("/items"), 1u);
}

TEST_P(Tenants, are_switched_to_by_those_who_hold_a_grant_there) {
  create("shop");
  CheckedClient ada = server.member("default");
  const std::string id = id_of(ada);
  const HttpReply refused = ada.post("/auth/tenant", R"({"tenantId":"shop"})");
  EXPECT_EQ(refused.status, 400);
  EXPECT_EQ(refused.code(), "TENANT_ACCESS_DENIED");
  EXPECT_EQ(ada.post("/auth/tenant", R"({"tenantId":"nowhere"})").body, refused.body);
  EXPECT_EQ(ada.post("/auth/tenant", "{}").wrong_fields(), std::vector<std::string>{"tenantId"});
  EXPECT_EQ(server.client().post("/auth/tenant", R"({"tenantId":"shop"})").status, 401);
  EXPECT_EQ(server.client().get("/auth/tenants").status, 401);
  EXPECT_EQ(ada.get("/auth/tenants").size("/items"), 0u) << "no grant anywhere";

  CheckedClient above = server.admin("shop");
  ASSERT_EQ(above.put("/api/admin/grants/" + id, R"({"keys":["TenantStaff"]})").status, 200);
  const HttpReply offered = ada.get("/auth/tenants");
  ASSERT_EQ(offered.size("/items"), 1u) << offered.body;
  EXPECT_EQ(offered.text("/items/0/tenantId"), "shop");
  CheckedClient before = ada;
  const HttpReply switched = ada.post("/auth/tenant", R"({"tenantId":"shop"})");
  ASSERT_EQ(switched.status, 200) << switched.body;
  EXPECT_EQ(switched.text("/session/user/userId"), id);
  EXPECT_EQ(switched.text("/session/user/tenantId"), "shop");
  EXPECT_EQ(switched.size("/session/permissionKeys"), 3u);
  EXPECT_EQ(before.get("/auth/me").status, 401) << "the old session is dead";
  EXPECT_EQ(ada.get("/api/data/customer", {{"x-tenant-id", "default"}}).code(), "TENANT_MISMATCH");
  EXPECT_EQ(ada.get("/api/data/customer", {{"x-tenant-id", "shop"}}).status, 200);
  EXPECT_EQ(admin.get("/auth/tenants").size("/items"), 2u);
  EXPECT_EQ(admin.post("/auth/tenant", R"({"tenantId":"shop"})").status, 200) << "a PlatformAdmin goes anywhere";
}

}  // namespace
}  // namespace guildhall
