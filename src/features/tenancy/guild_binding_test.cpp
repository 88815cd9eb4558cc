#include "features/tenancy/guild_binding.h"

#include <barrier>
#include <gtest/gtest.h>
#include <thread>

#include "storage/migrations.h"
#include "support/engines.h"

namespace guildhall {
namespace {

class GuildBindings : public test::OnEachEngine {
 protected:
  GuildBindings() { migrate(*storage); }

  bool bind(const std::string& tenant, const std::string& guild) {
    bool bound = false;
    storage->write_now([&](Tx& tx) { bound = bind_guild(tx, TenantId(tenant), guild, now()); });
    return bound;
  }

  std::string owner(const std::string& guild) {
    std::string found;
    storage->write_now([&](Tx& tx) { found = tx.one(binding_of_guild(guild)).value().tenant_id.text(); });
    return found;
  }
};
INSTANTIATE_TEST_SUITE_P(Engines, GuildBindings, test::engines, test::engine_name);

TEST_P(GuildBindings, belong_to_the_tenant_that_binds_first) {
  EXPECT_TRUE(bind("a", "1"));
  EXPECT_FALSE(bind("b", "1"));
  EXPECT_FALSE(bind("a", "1"));
  EXPECT_TRUE(bind("a", "2")) << "a shop may have several servers";
  EXPECT_EQ(owner("1"), "a");
}

TEST_P(GuildBindings, have_one_tenant_when_several_bind_at_once) {
  constexpr int tenants = 4, guilds = 50;
  std::barrier start(tenants);
  std::array<std::array<bool, guilds>, tenants> bound{};
  std::vector<std::thread> threads;
  for (int tenant = 0; tenant < tenants; ++tenant) {
    threads.emplace_back([&, tenant] {
      for (int guild = 0; guild < guilds; ++guild) {
        start.arrive_and_wait();
        bound[tenant][guild] = bind(std::to_string(tenant), std::to_string(guild));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (int guild = 0; guild < guilds; ++guild) {
    int winners = 0;
    for (int tenant = 0; tenant < tenants; ++tenant) {
      if (!bound[tenant][guild]) continue;
      ++winners;
      EXPECT_EQ(owner(std::to_string(guild)), std::to_string(tenant));
    }
    EXPECT_EQ(winners, 1) << "guild " << guild;
  }
}

}  // namespace
}  // namespace guildhall
