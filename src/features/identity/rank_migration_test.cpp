#include <gtest/gtest.h>

#include "features/identity/grants.h"
#include "features/identity/user_store.h"
#include "storage/columns.h"
#include "storage/migrations.h"
#include "support/engines.h"

namespace guildhall {
namespace {

class RankMigration : public test::OnEachEngine {
 protected:
  static std::span<const Migration> older() {
    const auto all = std::span<const Migration>(migrations());
    const auto rank = std::find_if(all.begin(), all.end(), [](const Migration& step) { return step.number == 13; });
    return all.first(static_cast<std::size_t>(rank - all.begin()));
  }
  void run(std::span<const Sql> statements) {
    storage->write_now([&](Tx& tx) {
      for (const Sql& sql : statements) tx.run({&sql, {}});
    });
  }
  std::vector<std::string> keys(const std::string& tenant, const std::string& user_tenant) {
    std::vector<std::string> found;
    storage->write_now([&](Tx& tx) {
      found = tx.all(grants_of(TenantId(tenant), TenantId(user_tenant), UserId(std::string("u")),
                               TenantId(std::string("default"))));
    });
    return found;
  }
  std::string user_of(std::string_view provider, const std::string& chat_user) {
    std::string id;
    storage->write_now([&](Tx& tx) {
      const auto user = tx.one(user_by_identity(TenantId(std::string("shop")), provider, chat_user));
      id = user ? user->id.text() : "";
    });
    return id;
  }
};
INSTANTIATE_TEST_SUITE_P(Engines, RankMigration, test::engines, test::engine_name);

TEST_P(RankMigration, leaves_grants_with_the_user_whom_they_were_given_to) {
  migrate(*storage, older());
  static const Sql rows[] = {
      Sql("INSERT INTO users (id, tenant_id, username, display_name, is_admin, created_at, updated_at,"
          " version) VALUES ('u', 'default', 'admin', 'A', false, 2, 2, 1), ('u', 'evil', 'thief', 'T', false,"
          " 1, 1, 1)"),
      Sql("INSERT INTO grants (tenant_id, user_id, key, created_at) VALUES ('default', 'u', 'PlatformAdmin',"
          " 1), ('evil', 'u', 'data.read', 1)")};
  run(rows);
  migrate(*storage);
  EXPECT_EQ(keys("default", "default"), std::vector<std::string>{"PlatformAdmin"});
  EXPECT_EQ(keys("evil", "default"), std::vector<std::string>{"PlatformAdmin"});
  EXPECT_EQ(keys("evil", "evil"), std::vector<std::string>{"data.read"});
}

TEST_P(RankMigration, keeps_identities_of_a_tenants_own_application_that_reach_no_further_than_the_tenant) {
  migrate(*storage, older());
  static const Sql rows[] = {
      Sql("INSERT INTO users (id, tenant_id, username, display_name, is_admin, created_at, updated_at,"
          " version) VALUES ('a', 'shop', 'a', 'A', false, 1, 1, 1), ('b', 'shop', 'b', 'B', false, 1, 1, 1)"),
      Sql("INSERT INTO identities (tenant_id, provider, provider_user_id, user_id, created_at) VALUES ('shop',"
          " 'chat', '1', 'a', 1), ('shop', 'chat', '2', 'b', 1)"),
      Sql("INSERT INTO auth_providers (tenant_id, provider, client_id, scopes, created_at, updated_at,"
          " version) VALUES ('shop', 'chat', 'own', 'identify', 1, 1, 1)"),
      Sql("INSERT INTO grants (tenant_id, user_id, key, created_at) VALUES ('shop', 'a', 'TenantAdmin', 1),"
          " ('shop', 'b', 'TenantAdmin', 1), ('other', 'b', 'data.read', 1)")};
  run(rows);
  migrate(*storage);
  EXPECT_EQ(user_of("tenant-chat", "1"), "a");
  EXPECT_EQ(user_of("tenant-chat", "2"), "");
  EXPECT_EQ(user_of("chat", "2"), "b");
  storage->write_now([&](Tx& tx) {
    const auto user = tx.one(user_by_id(TenantId(std::string("shop")), UserId(std::string("a"))));
    ASSERT_TRUE(user);
    EXPECT_EQ(user->session_epoch.value, 1) << "the sessions have ended";
  });
}

}  // namespace
}  // namespace guildhall
