// Stored memberships after payments, gifts, changes of the plan, refunds, pauses and cancellations at random.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "features/memberships/membership_actions.h"
#include "features/memberships/membership_job.h"
#include "features/memberships/membership_store.h"
#include "features/orders/order_actions.h"
#include "features/orders/order_number.h"
#include "storage/columns.h"
#include "support/membership_model.h"
#include "support/shop.h"
#include "support/test_server.h"

namespace guildhall {
namespace {

using test::MembershipModel, test::ModelPlan;

class MembershipHistory : public test::OnEachPair {
 protected:
  MembershipHistory() {
    test::CheckedClient admin = server.admin();
    for (const ModelPlan& plan : test::model_plans) {
      products.emplace(
          plan.name,
          ProductId(test::created(
              admin, "product",
              fmt::format(R"({{"name":"{0}","sku":"{0}","priceCents":{1},"inventoryTracked":false,)"
                          R"("grantedRoleIds":["4{2}"],)"
                          R"("membership":{{"periodDays":{3},"graceDays":{4},"group":"g","reminderDays":[7,1]}}}})",
                          plan.name, plan.price_cents(), plan.rate, plan.period_days, plan.grace_days))));
    }
  }

  std::map<std::string, ProductId> products;
};
INSTANTIATE_TEST_SUITE_P(Pairs, MembershipHistory, test::engines, test::engine_name);

// One member. All times are given to the actions, and are later than the server's clock, so that its own jobs do
// nothing.
class StoredMember {
 public:
  StoredMember(test::TestServer& server, const std::map<std::string, ProductId>& products, std::string member)
      : server_(server), products_(products), member_(std::move(member)) {}

  std::string pay(const std::string&, const ModelPlan& plan, int periods, bool is_gift, Instant now) {
    NewOrder input;
    input.items.value = {{.product_id = products_.at(plan.name),
                          .name = {},
                          .sku = {},
                          .quantity = {periods},
                          .unit_price_cents = {},
                          .currency = {}}};
    input.order_number.value = make_order_number();
    input.customer.name.value = "Ada";
    input.customer.chat_id = Key{is_gift ? "giver" : member_};
    if (is_gift) input.gift_to = Key{member_};
    input.status.value = OrderStatus::PAID;
    std::string id;
    act(now, [&](const ActionContext& context) { id = place_order(context, input).id.text(); });
    return id;
  }
  std::string change_plan(const std::string& id, const ModelPlan& plan, Instant now) {
    act(now, [&](const ActionContext& context) {
      guildhall::change_plan(context, membership(context.tx).id, products_.at(plan.name), [](const Membership&) {});
    });
    return id;
  }
  void refund(const std::string& order, Instant now) {
    act(now, [&](const ActionContext& context) { move_order(context, OrderId(order), OrderStatus::REFUNDED); });
  }
  void pause(Instant now) { change(MembershipChangeKind::PAUSED, now); }
  void resume(Instant now) { change(MembershipChangeKind::RESUMED, now); }
  void cancel(Instant now) { change(MembershipChangeKind::CANCELLED, now); }
  void pass_time(Instant now) { handle_due_memberships(server_.storage(), server_.events(), now); }

  void check(const MembershipModel& model, int step) {
    Membership found;
    std::vector<std::string> roles;
    server_.storage().read_now([&](Tx& tx) {
      found = membership(tx);
      roles = wanted_roles(tx);
    });
    const auto status = model.is_paused()  ? MembershipStatus::PAUSED
                        : model.has_role() ? MembershipStatus::ACTIVE
                                           : MembershipStatus::ENDED;
    EXPECT_EQ(found.status, status) << step;
    EXPECT_EQ(to_string(found.expires_at), to_string(model.end())) << step;
    EXPECT_EQ(to_string(found.started_at), to_string(model.start())) << step;
    EXPECT_EQ(found.grace_ends_at, model.end() + std::chrono::days(model.grace_days())) << step;
    EXPECT_EQ(found.product_id, products_.at(model.plan().name)) << step;
    EXPECT_EQ(found.cancelled_at.has_value(), model.is_cancelled()) << step;
    std::vector<std::string> expected;
    if (model.has_role()) expected.push_back(fmt::format("4{}", model.plan().rate));
    EXPECT_EQ(roles, expected) << step;
  }

 private:
  void act(Instant now, FunctionRef<void(const ActionContext&)> action) {
    server_.write([&](Tx& tx) { action({tx, server_.events(), tenant_, actor_, now}); });
  }
  void change(MembershipChangeKind kind, Instant now) {
    act(now, [&](const ActionContext& context) {
      change_membership(context, membership(context.tx).id, kind, [](const Membership&) {});
    });
  }
  Membership membership(Tx& tx) { return tx.all(memberships_of_chat_user(tenant_, member_, 2)).at(0); }
  std::vector<std::string> wanted_roles(Tx& tx) {
    static const Sql sql(
        "SELECT role_id FROM entitlements"
        " WHERE tenant_id = $1 AND chat_user_id = $2 AND status IN ('PENDING', 'GRANTED') ORDER BY role_id");
    std::vector<std::string> roles;
    tx.run({&sql, params(tenant_, member_)}, [&](const Row& row) { roles.emplace_back(row.text(0)); });
    return roles;
  }

  test::TestServer& server_;
  const std::map<std::string, ProductId>& products_;
  const std::string member_;
  const TenantId tenant_{std::string("default")};
  const Actor actor_{ActorKind::SYSTEM, "test", ""};
};

TEST_P(MembershipHistory, ends_where_an_account_would_be_empty) {
  for (unsigned seed = 1; seed <= 6 && !HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    MembershipModel model(now() + std::chrono::days(1));
    StoredMember member(server, products, fmt::format("m{}", seed));
    test::live_at_random(random, 25, model, member);
  }
}

}  // namespace
}  // namespace guildhall
