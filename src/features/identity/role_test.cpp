#include <fmt/format.h>
#include <gtest/gtest.h>
#include <thread>

#include "features/identity/grants.h"
#include "support/test_server.h"

namespace guildhall {
namespace {

using test::CheckedClient, test::HttpReply;

const std::string all_roles = "/api/admin/roles";

class Roles : public test::OnEachPair {
 protected:
  static HttpReply make(CheckedClient& by, std::string_view name, std::string_view keys) {
    return by.post(all_roles, fmt::format(R"({{"name":"{}","description":"of a test","keys":[{}]}})", name, keys));
  }
  static HttpReply change(CheckedClient& by, const std::string& name, std::string_view keys) {
    return by.patch(all_roles + "/" + name, fmt::format(R"({{"keys":[{}]}})", keys));
  }
  static HttpReply grant(CheckedClient& by, CheckedClient& whom, std::string_view keys) {
    return by.put("/api/admin/grants/" + id_of(whom), fmt::format(R"({{"keys":[{}]}})", keys));
  }
  static std::string id_of(CheckedClient& client) { return client.get("/auth/me").text("/session/user/userId"); }

  CheckedClient admin = server.member("default", "TenantAdmin");
  CheckedClient clerk = server.member("default", "admin.access");
  CheckedClient ada = server.member("default");
};
INSTANTIATE_TEST_SUITE_P(Pairs, Roles, test::engines, test::engine_name);

TEST_P(Roles, give_their_keys_to_who_holds_them_and_change_for_all_at_once) {
  const HttpReply made = make(admin, "packer", R"("data.read")");
  ASSERT_EQ(made.status, 201) << made.body;
  EXPECT_EQ(ada.get("/api/data/order").status, 403);
  ASSERT_EQ(grant(admin, ada, R"("packer")").status, 200);
  EXPECT_EQ(ada.get("/api/data/order").status, 200);
  EXPECT_EQ(ada.get("/api/admin/audit").status, 403);
  ASSERT_EQ(change(admin, "packer", R"("admin.access","TenantStaff")").status, 200);
  EXPECT_EQ(ada.get("/api/admin/audit").status, 200) << "in the session that she has";
  EXPECT_EQ(ada.get("/auth/me").size("/session/permissionKeys"), 4U) << ada.get("/auth/me").body;
  ASSERT_EQ(change(admin, "packer", R"("data.read")").status, 200);
  EXPECT_EQ(ada.get("/api/admin/audit").status, 403);
  EXPECT_EQ(admin.get("/api/admin/grants/" + id_of(ada)).text("/keys/0"), "packer");
}

TEST_P(Roles, are_listed_found_and_deleted) {
  ASSERT_EQ(make(admin, "packer", R"("data.write","data.read","data.read")").status, 201);
  const HttpReply found = admin.get(all_roles + "/packer");
  EXPECT_EQ(found.size("/keys"), 2U);
  EXPECT_EQ(found.text("/keys/0"), "data.read");
  EXPECT_EQ(admin.get(all_roles).text("/items/0/name"), "packer");
  EXPECT_EQ(admin.patch(all_roles + "/packer", R"({"description":null})", {{"If-Match", "\"7\""}}).status, 412);
  EXPECT_TRUE(admin.patch(all_roles + "/packer", R"({"description":null})").is_null("/description"));
  EXPECT_EQ(admin.del(all_roles + "/packer").status, 204);
  EXPECT_EQ(admin.get(all_roles + "/packer").status, 404);
  EXPECT_EQ(admin.del(all_roles + "/packer").status, 404);
  EXPECT_EQ(change(admin, "packer", R"("data.read")").status, 404);
}

TEST_P(Roles, that_somebody_holds_are_not_deleted) {
  ASSERT_EQ(make(admin, "packer", R"("data.read")").status, 201);
  ASSERT_EQ(grant(admin, ada, R"("packer")").status, 200);
  EXPECT_EQ(admin.del(all_roles + "/packer").code(), "ROLE_IN_USE");
  ASSERT_EQ(grant(admin, ada, "").status, 200);
  EXPECT_EQ(admin.del(all_roles + "/packer").status, 204);
}

TEST_P(Roles, have_names_of_their_own) {
  for (const char* name : {"data.read", "TenantAdmin", "tenantstaff", "PLATFORMADMIN", "a b", ""}) {
    EXPECT_EQ(make(admin, name, R"("data.read")").wrong_fields(), std::vector<std::string>{"name"}) << name;
  }
  ASSERT_EQ(make(admin, "packer", R"("data.read")").status, 201);
  EXPECT_EQ(make(admin, "packer", R"("data.read")").code(), "ROLE_TAKEN");
  ASSERT_EQ(grant(admin, ada, R"("treasurer")").status, 200);
  EXPECT_EQ(make(admin, "treasurer", R"("data.read")").code(), "KEY_IN_USE") << "its holders would lose the key";
}

TEST_P(Roles, consist_of_keys) {
  ASSERT_EQ(make(admin, "packer", R"("data.read")").status, 201);
  for (const char* keys : {"", R"("TenantAdmin")", R"("PlatformAdmin")", R"("a b")", R"("packer")", R"("self")"}) {
    EXPECT_EQ(make(admin, "self", keys).status, 400) << keys;
  }
  EXPECT_EQ(make(admin, "", R"("a b","TenantAdmin")").wrong_fields(),
            (std::vector<std::string>{"keys[0]", "keys[1]", "name"}));
  EXPECT_EQ(change(admin, "packer", "").status, 400);
}

TEST_P(Roles, have_no_key_that_their_maker_could_not_grant) {
  EXPECT_EQ(make(clerk, "reader", R"("data.read")").status, 403);
  EXPECT_EQ(make(clerk, "cook", R"("cook.key")").status, 403) << "custom keys are given by a TenantAdmin";
  EXPECT_EQ(make(clerk, "helper", R"("admin.access")").status, 201);
  EXPECT_EQ(change(clerk, "helper", R"("admin.access","data.read")").status, 403);
  ASSERT_EQ(make(admin, "reader", R"("data.read")").status, 201);
  EXPECT_EQ(change(clerk, "reader", R"("admin.access")").status, 403) << "it has a key that the clerk lacks";
  EXPECT_EQ(clerk.del(all_roles + "/reader").status, 403);
  EXPECT_EQ(grant(clerk, ada, R"("reader")").status, 403);
  EXPECT_EQ(grant(clerk, ada, R"("helper")").status, 200);
}

TEST_P(Roles, do_not_extend_the_grants_of_who_changes_them) {
  ASSERT_EQ(make(admin, "cook", R"("admin.access")").status, 201);
  CheckedClient boss = server.member("default", "TenantAdmin");
  EXPECT_EQ(grant(boss, boss, R"("TenantAdmin","cook")").status, 403) << "nobody extends their own grants";
  ASSERT_EQ(grant(admin, boss, R"("TenantAdmin","cook")").status, 200);
  EXPECT_EQ(change(boss, "cook", R"("admin.access","treasurer")").status, 403);
  EXPECT_EQ(change(boss, "cook", R"("admin.access","data.read")").status, 200) << "a key that the boss holds";
  EXPECT_EQ(change(admin, "cook", R"("admin.access","treasurer")").status, 200) << "admin does not hold the role";
  CheckedClient platform = server.admin();
  ASSERT_EQ(grant(admin, ada, R"("cook")").status, 200);
  EXPECT_EQ(change(ada, "cook", R"("admin.access","data.write")").status, 403);
}

TEST_P(Roles, of_users_of_higher_rank_are_not_changed) {
  ASSERT_EQ(make(clerk, "helper", R"("admin.access")").status, 201);
  ASSERT_EQ(grant(admin, ada, R"("helper","data.read")").status, 200);
  EXPECT_EQ(clerk.patch(all_roles + "/helper", R"({"description":"changed"})").status, 403)
      << "ada holds a key that the clerk lacks";
  EXPECT_EQ(admin.patch(all_roles + "/helper", R"({"description":"changed"})").status, 200);
}

// Otherwise somebody could name a role like the key that approves disbursements, and give it to a friend.
TEST_P(Roles, are_no_permission_by_their_name) {
  ASSERT_EQ(make(clerk, "treasurer", R"("admin.access")").status, 201);
  ASSERT_EQ(grant(clerk, ada, R"("treasurer")").status, 200);
  EXPECT_EQ(ada.get("/auth/me").text("/session/permissionKeys/0"), "admin.access");
  EXPECT_EQ(ada.get("/auth/me").size("/session/permissionKeys"), 1U);
}

TEST_P(Roles, count_as_their_keys_when_rank_is_compared) {
  ASSERT_EQ(make(admin, "helper", R"("admin.access")").status, 201);
  ASSERT_EQ(grant(admin, ada, R"("helper")").status, 200);
  EXPECT_EQ(clerk.patch("/api/data/user/" + id_of(ada), R"({"displayName":"Ada"})").status, 200);
  ASSERT_EQ(change(admin, "helper", R"("admin.access","data.read")").status, 200);
  EXPECT_EQ(clerk.patch("/api/data/user/" + id_of(ada), R"({"displayName":"Eve"})").status, 403);
}

TEST_P(Roles, clear_passwords_that_somebody_of_lower_rank_has_set) {
  const std::string username = test::fresh_name();
  const std::string id =
      clerk.post("/api/data/user", fmt::format(R"({{"username":"{}","displayName":"Eve"}})", username)).text("/id");
  ASSERT_EQ(clerk.put("/api/data/user/" + id + "/password", R"({"password":"known to the clerk"})").status, 204);
  const std::string credentials =
      fmt::format(R"({{"username":"{}","password":"known to the clerk","tenantId":"default"}})", username);
  ASSERT_EQ(make(admin, "helper", R"("admin.access")").status, 201);
  ASSERT_EQ(admin.put("/api/admin/grants/" + id, R"({"keys":["helper"]})").status, 200);
  CheckedClient eve = server.client();
  ASSERT_EQ(eve.post("/auth/local/login", credentials).status, 200) << "the clerk holds as much";
  ASSERT_EQ(change(admin, "helper", R"("admin.access","data.read")").status, 200);
  EXPECT_EQ(eve.get("/auth/me").status, 401);
  EXPECT_EQ(eve.post("/auth/local/login", credentials).status, 400);
}

TEST_P(Roles, are_no_keys_of_tokens_and_not_changed_with_tokens) {
  ASSERT_EQ(make(admin, "packer", R"("data.read")").status, 201);
  EXPECT_EQ(admin.post("/api/admin/tokens", R"({"name":"x","keys":["packer"]})").status, 403);
  const std::string token = admin.post("/api/admin/tokens", R"({"name":"x","keys":["TenantAdmin"]})").text("/token");
  CheckedClient program = server.client();
  const test::HttpHeaders bearer{{"Authorization", "Bearer " + token}};
  EXPECT_EQ(program.patch(all_roles + "/packer", R"({"description":"x"})", bearer).code(), "SESSION_REQUIRED");
  EXPECT_EQ(program.post(all_roles, R"({"name":"x","keys":["data.read"]})", bearer).code(), "SESSION_REQUIRED");
  EXPECT_EQ(program.del(all_roles + "/packer", bearer).code(), "SESSION_REQUIRED");
}

TEST_P(Roles, give_tokens_of_their_holders_no_more_than_they_have) {
  ASSERT_EQ(make(admin, "helper", R"("admin.access","data.read")").status, 201);
  ASSERT_EQ(grant(admin, ada, R"("helper")").status, 200);
  const std::string token = ada.post("/api/admin/tokens", R"({"name":"x","keys":["data.read"]})").text("/token");
  CheckedClient program = server.client();
  const test::HttpHeaders bearer{{"Authorization", "Bearer " + token}};
  EXPECT_EQ(program.get("/api/data/order", bearer).status, 200);
  ASSERT_EQ(change(admin, "helper", R"("admin.access")").status, 200);
  EXPECT_EQ(program.get("/api/data/order", bearer).status, 403);
}

TEST_P(Roles, can_be_offered_by_an_invitation) {
  ASSERT_EQ(make(admin, "helper", R"("admin.access")").status, 201);
  const std::string link = clerk.post("/api/admin/invitations", R"({"keys":["helper"]})").text("/link");
  ASSERT_EQ(change(admin, "helper", R"("admin.access","data.read")").status, 200);
  CheckedClient visitor = server.client();
  const std::string path = "/auth/invitations/" + link.substr(link.find('#') + 1);
  const std::string body = fmt::format(R"({{"username":"{}","password":"a good password"}})", test::fresh_name());
  EXPECT_EQ(visitor.post(path, body).status, 404) << "the role has grown beyond the inviter";
  ASSERT_EQ(change(admin, "helper", R"("admin.access")").status, 200);
  EXPECT_EQ(visitor.post(path, body).status, 200);
  EXPECT_EQ(visitor.get("/api/admin/audit").status, 200);
}

TEST_P(Roles, stay_in_their_tenant) {
  ASSERT_EQ(make(admin, "packer", R"("data.read")").status, 201);
  server.add_tenant("other");
  CheckedClient others = server.member("other", "TenantAdmin"), bob = server.member("other");
  EXPECT_EQ(others.get(all_roles).size("/items"), 0U);
  EXPECT_EQ(change(others, "packer", R"("data.read")").status, 404);
  ASSERT_EQ(grant(others, bob, R"("packer")").status, 200) << "a custom key there";
  EXPECT_EQ(bob.get("/api/data/order").status, 403);
}

TEST_P(Roles, and_their_holders_come_to_a_limit) {
  for (int i = 0; i < 50; ++i) ASSERT_EQ(make(admin, fmt::format("role-{}", i), R"("data.read")").status, 201);
  EXPECT_EQ(make(admin, "one-more", R"("data.read")").code(), "TOO_MANY_ROLES");
  server.write([](Tx& tx) {
    for (int i = 0; i < 200; ++i) {
      add_grant(tx, TenantId(std::string("default")), UserId(fmt::format("user-{}", i)), "role-1", now());
    }
  });
  EXPECT_EQ(grant(admin, ada, R"("role-1")").code(), "ROLE_FULL");
  EXPECT_EQ(grant(admin, ada, R"("role-2")").status, 200);
  EXPECT_EQ(change(admin, "role-1", R"("data.write")").status, 200);
}

TEST_P(Roles, change_while_they_are_granted_without_a_gap) {
  ASSERT_EQ(make(admin, "packer", R"("data.read")").status, 201);
  for (int round = 0; round < 5; ++round) {
    CheckedClient holder = server.member("default"), other = server.member("default", "TenantAdmin");
    std::thread granting([&] { EXPECT_EQ(grant(other, holder, R"("packer")").status, 200); });
    EXPECT_EQ(change(admin, "packer", round % 2 == 0 ? R"("data.write")" : R"("data.read")").status, 200);
    granting.join();
    const std::string key = round % 2 == 0 ? "data.write" : "data.read";
    EXPECT_EQ(holder.get("/auth/me").text("/session/permissionKeys/0"), key);
  }
}

TEST_P(Roles, and_custom_keys_are_in_the_list_of_permissions) {
  ASSERT_EQ(make(admin, "packer", R"("data.read")").status, 201);
  ASSERT_EQ(grant(admin, ada, R"("packer","treasurer")").status, 200);
  const HttpReply listed = admin.get("/api/admin/permissions");
  const std::size_t count = listed.size("/items");
  EXPECT_EQ(listed.text(fmt::format("/items/{}/key", count - 2)), "packer");
  EXPECT_EQ(listed.text(fmt::format("/items/{}/meaning", count - 2)), "of a test");
  EXPECT_EQ(listed.text(fmt::format("/items/{}/implies/0", count - 2)), "data.read");
  EXPECT_EQ(listed.text(fmt::format("/items/{}/key", count - 1)), "treasurer");
}

}  // namespace
}  // namespace guildhall
