// The control of the race tests: this binary is built without the guards (see storage/guard.h), and the same scenarios
// must report errors. A scenario that finds no error here proves nothing in the other build.
#include "races/race_scenarios.h"

namespace guildhall {
namespace {

class WithoutGuards : public test::OnEachPair {
 protected:
  // Returns true as soon as one round reports an error; on a busy machine it need not be the first.
  bool notices(const std::function<std::string(const test::Race&)>& scenario) {
    test::CheckedClient shop = server.admin();
    for (int round = 0; round < 50; ++round) {
      if (!scenario({server, shop, round}).empty()) return true;
    }
    return false;
  }
};
INSTANTIATE_TEST_SUITE_P(Pairs, WithoutGuards, test::engines, test::engine_name);

// SQLite runs writing transactions one after the other, so the values that a transaction has read are still current
// when it writes, even without guards.
class WithoutGuardsAtOnce : public WithoutGuards {};
INSTANTIATE_TEST_SUITE_P(Pairs, WithoutGuardsAtOnce, ::testing::Values(test::Engine::postgresql), test::engine_name);

TEST_P(WithoutGuardsAtOnce, a_discount_is_used_too_often) {
  EXPECT_TRUE(notices(test::race_for_uses));
}

TEST_P(WithoutGuardsAtOnce, more_is_sold_than_there_is) {
  EXPECT_TRUE(notices(test::race_for_stock));
}

TEST_P(WithoutGuardsAtOnce, a_key_goes_to_two_buyers) {
  EXPECT_TRUE(notices(test::race_for_keys));
}

TEST_P(WithoutGuardsAtOnce, updates_are_lost) {
  EXPECT_TRUE(notices(test::race_to_update));
}

TEST_P(WithoutGuardsAtOnce, an_order_is_settled_twice) {
  EXPECT_TRUE(notices(test::race_to_settle));
}

TEST_P(WithoutGuardsAtOnce, a_period_of_a_membership_is_lost) {
  EXPECT_TRUE(notices(test::race_to_renew));
}

TEST_P(WithoutGuards, an_order_number_goes_to_many) {
  static const Sql drop("DROP INDEX orders_number_key");
  server.write([](Tx& tx) { tx.run({&drop, {}}); });
  EXPECT_TRUE(notices(test::race_for_number));
}

TEST_P(WithoutGuards, every_request_without_a_key_has_its_effect) {
  EXPECT_TRUE(notices([](const test::Race& race) { return test::race_for_effect(race, false); }));
}

TEST_P(WithoutGuards, a_code_of_a_second_factor_works_often) {
  EXPECT_TRUE(notices(test::race_for_code));
}

}  // namespace
}  // namespace guildhall
