// The limits of what a shop may store about its memberships.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "features/memberships/membership_store.h"
#include "storage/columns.h"
#include "support/shop.h"
#include "support/test_server.h"

namespace guildhall {
namespace {

using test::HttpReply;

class MembershipLimits : public test::OnEachPair {
 protected:
  std::string plan(const std::string& sku) {
    return test::created(shop, "product",
                         fmt::format(R"({{"name":"{0}","sku":"{0}","priceCents":1000,"inventoryTracked":false,)"
                                     R"("membership":{{"periodDays":30,"group":"g"}}}})",
                                     sku));
  }
  HttpReply pay(const std::string& product) {
    return shop.post("/api/data/order",
                     fmt::format(R"({{"orderNumber":"{}","status":"PAID","customer":{{"name":"Ada","chatId":"7"}},)"
                                 R"("items":[{{"productId":"{}","quantity":1}}]}})",
                                 test::fresh_name(), product));
  }
  Membership membership() {
    std::vector<Membership> found;
    server.storage().read_now([&](Tx& tx) { found = tx.all(memberships_of_chat_user(tenant, "7", 2)); });
    return found.at(0);
  }
  HttpReply act(const std::string& action, const std::string& body = "") {
    return shop.post(fmt::format("/api/admin/memberships/{}/{}", membership().id.text(), action), body);
  }

  const TenantId tenant{std::string("default")};
  test::CheckedClient shop = server.admin();
};
INSTANTIATE_TEST_SUITE_P(Pairs, MembershipLimits, test::engines, test::engine_name);

TEST_P(MembershipLimits, count_changes_of_the_plan_together_with_the_other_changes) {
  const std::string basic = plan("BASIC"), better = plan("BETTER");
  ASSERT_EQ(pay(basic).status, 201);
  server.write([&](Tx& tx) {
    static const Sql sql("UPDATE memberships SET changes = $2 WHERE tenant_id = $1");
    const std::vector<MembershipChange> changes(membership_changes_max - 2, {MembershipChangeKind::CANCELLED, now()});
    tx.run({&sql, params(tenant, changes)});
  });
  const auto change_to = [&](const std::string& product) {
    return act("plan", fmt::format(R"({{"productId":"{}"}})", product));
  };
  EXPECT_EQ(change_to(better).status, 200);
  EXPECT_EQ(change_to(basic).status, 200);
  EXPECT_EQ(change_to(better).code(), "TOO_MANY_CHANGES");
  EXPECT_EQ(act("pause").code(), "TOO_MANY_CHANGES");
  EXPECT_EQ(membership().product_id.text(), basic);
  EXPECT_EQ(pay(better).status, 201) << "a payment is no change by an admin";
}

TEST_P(MembershipLimits, end_the_payments_of_one_member) {
  const std::string basic = plan("BASIC");
  ASSERT_EQ(pay(basic).status, 201);
  const MembershipId id = membership().id;
  server.write([&](Tx& tx) {
    MembershipPeriod period = tx.all(periods_of_membership(tenant, id)).at(0);
    for (std::size_t i = 2; i < membership_periods_max; ++i) {
      period.id = MembershipPeriodId::make(now());
      period.source_key.value = period.id.text();
      insert_period(tx, period);
    }
  });
  EXPECT_EQ(pay(basic).status, 201);
  EXPECT_EQ(pay(basic).code(), "TOO_MANY_PERIODS");
}

}  // namespace
}  // namespace guildhall
