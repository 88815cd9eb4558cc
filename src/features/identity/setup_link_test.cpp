#include "features/identity/setup_link.h"

#include <deque>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <thread>

#include "features/identity/grants.h"
#include "support/test_server.h"

namespace guildhall {
namespace {

using test::CheckedClient, test::HttpReply;

// Each test has an empty installation: no user, and no password of the default admin.
class FirstOwner : public ::testing::TestWithParam<test::Engine> {
 protected:
  std::optional<std::string> link(bool passwords = true, bool admin_configured = false) {
    return make_setup_link(server.storage(),
                           {.home_tenant = home,
                            .passwords = passwords,
                            .admin_configured = admin_configured,
                            .public_base_url = "https://shop.test"},
                           now());
  }
  static std::string path_of(const std::string& link) { return "/auth/invitations/" + link.substr(link.find('#') + 1); }
  static std::string acceptance(const std::string& username) {
    return fmt::format(R"({{"username":"{}","password":"a good password"}})", username);
  }
  bool owner_missing() { return server.client().get("/auth/setup").boolean("/ownerMissing"); }
  void run(const std::string& text) {
    const Sql& sql = statements.emplace_back(text);
    server.write([&](Tx& tx) { tx.run({&sql, {}}); });
  }

  const TenantId home{std::string("default")};
  std::deque<Sql> statements;  // engines recognise a statement by its address, so each is kept
  test::TestServer server{GetParam(), {{"LOCAL_ADMIN_PASSWORD", ""}}};
};
INSTANTIATE_TEST_SUITE_P(Pairs, FirstOwner, test::engines, test::engine_name);

TEST_P(FirstOwner, administers_the_installation_and_can_sign_in_again) {
  EXPECT_TRUE(owner_missing());
  const auto address = link();
  ASSERT_TRUE(address);
  EXPECT_TRUE(address->starts_with("https://shop.test/console/setup#gi_")) << *address;
  CheckedClient owner = server.client();
  ASSERT_EQ(owner.get(path_of(*address)).status, 200);
  const HttpReply accepted = owner.post(path_of(*address), acceptance("ada"));
  ASSERT_EQ(accepted.status, 200) << accepted.body;
  EXPECT_EQ(owner.get("/api/admin/audit").status, 200);
  EXPECT_EQ(owner.post("/api/data/tenant", R"({"tenantId":"second","name":"Second","ownerUserId":"x"})").status, 201)
      << "the owner is a PlatformAdmin";
  EXPECT_FALSE(owner_missing());
  CheckedClient later = server.client();
  EXPECT_EQ(
      later.post("/auth/local/login", R"({"username":"ada","password":"a good password","tenantId":"default"})").status,
      200);
}

TEST_P(FirstOwner, link_works_once_and_no_second_one_is_made) {
  const std::string first = *link(), second = *link();
  CheckedClient owner = server.client(), stranger = server.client();
  ASSERT_EQ(owner.post(path_of(first), acceptance("ada")).status, 200);
  for (const std::string& used : {first, second}) {
    EXPECT_EQ(stranger.get(path_of(used)).status, 404);
    EXPECT_EQ(stranger.post(path_of(used), acceptance("eve")).status, 404);
  }
  EXPECT_FALSE(link());
  EXPECT_EQ(owner.get("/api/admin/invitations").size("/items"), 0U) << "links that are of no use are deleted";
}

TEST_P(FirstOwner, link_is_void_as_soon_as_somebody_holds_a_grant) {
  const std::string address = *link();
  server.add_user("default", {"TenantStaff"}, "default");
  CheckedClient stranger = server.client();
  EXPECT_EQ(stranger.post(path_of(address), acceptance("eve")).status, 404);
  EXPECT_FALSE(owner_missing());
}

TEST_P(FirstOwner, link_expires_and_is_stored_as_a_hash) {
  const std::string address = *link();
  const std::string secret = address.substr(address.rfind('.') + 1);
  server.write([&](Tx& tx) {
    for (const Invitation& each : tx.all(invitations_after(home, {}, 10))) {
      EXPECT_EQ(each.secret_hash.value.find(secret), std::string::npos);
    }
  });
  run("UPDATE invitations SET expires_at = 1");
  CheckedClient stranger = server.client();
  EXPECT_EQ(stranger.post(path_of(address), acceptance("eve")).status, 404);
}

TEST_P(FirstOwner, link_is_not_made_with_a_configured_admin_or_without_passwords) {
  EXPECT_FALSE(link(true, true));
  EXPECT_FALSE(link(false, false));
  const std::string address = *link();
  EXPECT_FALSE(link(true, true)) << "the operator has configured an admin meanwhile";
  EXPECT_EQ(server.client().get(path_of(address)).status, 404);
}

TEST_P(FirstOwner, links_of_many_starts_are_bounded) {
  for (std::size_t i = 0; i < setup_links_max + 5; ++i) ASSERT_TRUE(link());
  server.write([&](Tx& tx) { EXPECT_LE(tx.all(invitations_after(home, {}, 100)).size(), setup_links_max); });
}

TEST_P(FirstOwner, is_one_of_many_who_race_with_several_links) {
  const std::vector<std::string> links{*link(), *link(), *link()};
  std::atomic<int> owners = 0, refused = 0;
  std::vector<std::thread> racers;
  for (int i = 0; i < 9; ++i) {
    racers.emplace_back([&, i] {
      CheckedClient racer = server.client();
      const int status = racer.post(path_of(links[i % 3]), acceptance(fmt::format("racer-{}", i))).status;
      ++(status == 200 ? owners : refused);
      EXPECT_TRUE(status == 200 || status == 404) << status;
    });
  }
  for (std::thread& racer : racers) racer.join();
  EXPECT_EQ(owners, 1);
  EXPECT_EQ(refused, 8);
}

}  // namespace
}  // namespace guildhall
