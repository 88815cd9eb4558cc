// Rank: nobody changes, or becomes, somebody who holds more. The pairs of keys are in tests/access_matrix_test.cpp.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <thread>

#include "support/test_server.h"

namespace guildhall {
namespace {

using test::CheckedClient, test::HttpReply;

class Rank : public test::OnEachPair {
 protected:
  std::string created(std::string_view username) {
    return admin.post("/api/data/user", fmt::format(R"({{"username":"{}","displayName":"Ada"}})", username))
        .text("/id");
  }
  static HttpReply grant(CheckedClient& by, const std::string& user, std::string_view keys) {
    return by.put("/api/admin/grants/" + user, fmt::format(R"({{"keys":[{}]}})", keys));
  }
  static HttpReply set_password(CheckedClient& by, const std::string& user, std::string_view password) {
    return by.put(fmt::format("/api/data/user/{}/password", user), fmt::format(R"({{"password":"{}"}})", password));
  }
  static HttpReply log_in(CheckedClient& client, std::string_view username, std::string_view password) {
    return client.post("/auth/local/login",
                       fmt::format(R"({{"username":"{}","password":"{}","tenantId":"default"}})", username, password));
  }
  static std::string id_of(CheckedClient& client) { return client.get("/auth/me").text("/session/user/userId"); }

  CheckedClient admin = server.admin();
  CheckedClient clerk = server.member("default", "admin.access");
  CheckedClient ada = server.client();
};
INSTANTIATE_TEST_SUITE_P(Pairs, Rank, test::engines, test::engine_name);

TEST_P(Rank, lets_admin_access_alone_touch_no_tenant_admin_and_no_platform_admin) {
  CheckedClient boss = server.member("default", "TenantAdmin");
  for (const std::string& above : {id_of(boss), id_of(admin)}) {
    const std::string path = "/api/data/user/" + above;
    EXPECT_EQ(grant(clerk, above, "").status, 403);
    EXPECT_EQ(clerk.patch(path, R"({"displayName":"Renamed"})").status, 403);
    EXPECT_EQ(clerk.del(path + "/sessions").status, 403);
    EXPECT_EQ(clerk.del(path).status, 403);
    EXPECT_EQ(set_password(clerk, above, "now I am you").status, 403);
  }
  EXPECT_EQ(boss.get("/auth/me").status, 200);
  EXPECT_EQ(boss.patch("/api/data/user/" + id_of(admin), R"({"displayName":"Renamed"})").status, 403);
  EXPECT_EQ(boss.patch("/api/data/user/" + id_of(boss), R"({"displayName":"Myself"})").status, 200);
  EXPECT_EQ(clerk.patch("/api/data/user/" + id_of(clerk), R"({"displayName":"Myself"})").status, 200);
}

TEST_P(Rank, is_not_gained_by_holding_what_a_tenant_admin_implies) {
  CheckedClient manager = server.member("default", "admin.access", "data.read", "data.write");
  EXPECT_EQ(grant(manager, created("staff"), R"("TenantStaff")").status, 200);
  EXPECT_EQ(grant(manager, created("puppet"), R"("TenantAdmin")").status, 403);
}

TEST_P(Rank, may_be_lowered_by_its_holder_unless_nobody_else_has_it) {
  CheckedClient boss = server.member("default", "TenantAdmin");
  const std::string id = id_of(boss);
  EXPECT_EQ(grant(boss, id, R"("TenantStaff","treasurer")").status, 403) << "a key that the boss does not hold";
  const HttpReply lowered = grant(boss, id, R"("TenantStaff")");
  EXPECT_EQ(lowered.status, 200) << lowered.body;
  EXPECT_EQ(boss.get("/auth/me").text("/session/permissionKeys/0"), "TenantStaff");
  EXPECT_EQ(grant(boss, id, R"("TenantAdmin")").status, 403) << "there is no way back without somebody else";

  server.add_tenant("alone");
  CheckedClient last = server.member("alone", "TenantAdmin");
  EXPECT_EQ(grant(last, id_of(last), R"("TenantStaff")").code(), "LAST_TENANT_ADMIN");
  EXPECT_EQ(grant(last, id_of(last), R"("TenantStaff")").status, 409);
  EXPECT_EQ(grant(last, id_of(last), R"("TenantAdmin","TenantStaff")").status, 200);
}

TEST_P(Rank, of_a_promoted_user_is_not_gained_by_the_person_who_set_the_password) {
  const std::string id = created("ada");
  ASSERT_EQ(set_password(clerk, id, "known to the clerk").status, 204);
  ASSERT_EQ(log_in(ada, "ada", "known to the clerk").status, 200);
  EXPECT_EQ(grant(admin, id, R"("admin.access")").status, 200);
  EXPECT_EQ(ada.get("/auth/me").status, 200) << "the clerk holds as much";
  EXPECT_EQ(set_password(ada, id, "also known to the clerk").status, 204) << "or is it the clerk who changes it?";
  ASSERT_EQ(log_in(ada, "ada", "also known to the clerk").status, 200);
  EXPECT_EQ(grant(admin, id, R"("TenantAdmin")").status, 200);
  EXPECT_EQ(ada.get("/auth/me").status, 401);
  EXPECT_EQ(log_in(ada, "ada", "also known to the clerk").code(), "INVALID_CREDENTIALS");
  EXPECT_EQ(set_password(clerk, id, "known to the clerk").status, 403);
  EXPECT_EQ(set_password(admin, id, "known to the admin").status, 204);
  EXPECT_EQ(grant(admin, id, R"("TenantAdmin","treasurer")").status, 200);
  EXPECT_EQ(log_in(ada, "ada", "known to the admin").status, 200) << "the admin holds everything";
}

TEST_P(Rank, of_a_new_tenants_owner_is_not_gained_by_the_person_who_set_the_password) {
  const std::string id = created("ada");
  ASSERT_EQ(set_password(clerk, id, "known to the clerk").status, 204);
  ASSERT_EQ(log_in(ada, "ada", "known to the clerk").status, 200);
  ASSERT_EQ(
      admin.post("/api/data/tenant", fmt::format(R"({{"tenantId":"own","name":"n","ownerUserId":"{}"}})", id)).status,
      201);
  EXPECT_EQ(ada.post("/auth/tenant", R"({"tenantId":"own"})").status, 401);
  EXPECT_EQ(log_in(ada, "ada", "known to the clerk").status, 400);
}

// The default admin is found by an identity. Whoever had made a user with it would become PlatformAdmin with the
// operator's next sign-in.
TEST_P(Rank, of_the_default_admin_is_not_gained_by_the_person_who_set_the_password) {
  const std::string id = created("ada");
  ASSERT_EQ(set_password(clerk, id, "known to the clerk").status, 204);
  static const Sql move_identity("UPDATE identities SET user_id = $1 WHERE provider = 'configuration'");
  server.write([&](Tx& tx) { tx.run({&move_identity, {id}}); });
  CheckedClient operators = server.admin();
  EXPECT_EQ(id_of(operators), id) << "the session that the sign-in has started is valid";
  EXPECT_EQ(log_in(ada, "ada", "known to the clerk").code(), "INVALID_CREDENTIALS");
}

TEST_P(Rank, lets_a_tenant_admin_appoint_a_treasurer_but_not_become_one) {
  CheckedClient boss = server.member("default", "TenantAdmin");
  const std::string id = created("ada");
  ASSERT_EQ(set_password(boss, id, "known to the boss").status, 204);
  EXPECT_EQ(grant(boss, id, R"("treasurer")").status, 200);
  EXPECT_EQ(log_in(ada, "ada", "known to the boss").status, 400);
  EXPECT_EQ(set_password(boss, id, "known to the boss").status, 403);
  EXPECT_EQ(grant(boss, id_of(boss), R"("TenantAdmin","treasurer")").status, 403) << "nobody raises their own";
  EXPECT_EQ(grant(clerk, created("eve"), R"("treasurer")").status, 403);
  EXPECT_EQ(grant(boss, id, "").status, 200) << "who gives a custom key may take it away";
}

TEST_P(Rank, holds_when_a_promotion_and_a_password_come_at_once) {
  for (int round = 0; round < 8; ++round) {
    const std::string name = fmt::format("ada{}", round), id = created(name);
    std::jthread promotion([&, by = admin]() mutable { EXPECT_EQ(grant(by, id, R"("TenantAdmin")").status, 200); });
    std::jthread setting([&, by = clerk]() mutable { set_password(by, id, "known to the clerk"); });
    promotion.join();
    setting.join();
    EXPECT_EQ(log_in(ada, name, "known to the clerk").status, 400);
  }
}

TEST_P(Rank, of_users_elsewhere_does_not_come_with_their_id) {
  server.add_tenant("evil");
  const std::string id = id_of(admin);
  // As an import of an older version could leave it: the same id in another tenant.
  CheckedClient puppet = server.member("evil");
  static const Sql steal_id("UPDATE users SET id = $1 WHERE tenant_id = 'evil' AND id = $2");
  server.write([&](Tx& tx) { tx.run({&steal_id, {id, id_of(puppet)}}); });
  CheckedClient thief = server.client();
  std::string username;
  server.write([&](Tx& tx) {
    static const Sql sql("SELECT username FROM users WHERE tenant_id = 'evil'");
    tx.run({&sql, {}}, [&](const Row& row) { username = row.text(0); });
  });
  const HttpReply signed_in = thief.post(
      "/auth/local/login",
      fmt::format(R"({{"username":"{}","password":"{}","tenantId":"evil"}})", username, test::member_password));
  ASSERT_EQ(signed_in.status, 200) << signed_in.body;
  EXPECT_EQ(signed_in.size("/session/permissionKeys"), 0u);
  EXPECT_EQ(thief.get("/auth/me").size("/session/permissionKeys"), 0u);
  EXPECT_EQ(thief.post("/auth/tenant", R"({"tenantId":"default"})").code(), "TENANT_ACCESS_DENIED");
  EXPECT_EQ(thief.get("/api/data/tenant").status, 403);
}

TEST_P(Rank, is_shown_in_the_list_of_holders) {
  server.add_tenant("shop");
  CheckedClient boss = server.member("shop", "TenantAdmin");
  const std::string own = server.add_user("shop", {"treasurer", "TenantStaff"}, "shop");
  const std::string guest = server.add_user("default", {"data.read"}, "shop");
  server.add_user("shop", {}, "shop");
  std::map<std::string, std::string> holders;
  std::string cursor;
  for (int pages = 0; pages < 3; ++pages) {
    const HttpReply page = boss.get("/api/admin/grants?limit=1" + cursor);
    ASSERT_EQ(page.status, 200) << page.body;
    ASSERT_EQ(page.size("/items"), 1u);
    EXPECT_FALSE(page.text("/items/0/displayName").empty());
    std::string keys;
    for (std::size_t i = 0; i < page.size("/items/0/keys"); ++i)
      keys += page.text(fmt::format("/items/0/keys/{}", i)) + " ";
    holders[page.text("/items/0/userId")] = keys;
    EXPECT_EQ(page.is_null("/nextCursor"), pages == 2);
    cursor = "&cursor=" + page.text("/nextCursor");
  }
  EXPECT_EQ(holders, (std::map<std::string, std::string>{
                         {id_of(boss), "TenantAdmin "}, {own, "TenantStaff treasurer "}, {guest, "data.read "}}));
  EXPECT_EQ(boss.get("/api/admin/grants/" + guest).text("/keys/0"), "data.read");
  EXPECT_EQ(grant(boss, guest, R"("TenantStaff")").status, 200) << "who holds a grant here counts as the tenant's own";
  EXPECT_EQ(grant(boss, guest, "").status, 200);
  EXPECT_EQ(boss.get("/api/admin/grants/" + guest).status, 404) << "and no longer, once they hold none";
  EXPECT_EQ(boss.get("/api/data/user/" + guest).status, 404);
  EXPECT_EQ(boss.get("/api/admin/grants?limit=0").status, 400);
}

}  // namespace
}  // namespace guildhall
