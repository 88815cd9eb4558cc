// Runs the races on both engine pairs several times; `script/test --long` repeats them ten times as often.
#include "races/race_scenarios.h"

namespace guildhall {
namespace {

class Races : public test::OnEachPair {
 protected:
  void repeat(const std::function<std::string(const test::Race&)>& scenario) {
    const int rounds = std::getenv("GUILDHALL_LONG") != nullptr ? 200 : 20;
    test::CheckedClient shop = server.admin();
    for (int round = 0; round < rounds; ++round) {
      const std::string wrong = scenario({server, shop, round});
      ASSERT_EQ(wrong, "") << "in round " << round;
    }
  }
};
INSTANTIATE_TEST_SUITE_P(Pairs, Races, test::engines, test::engine_name);

TEST_P(Races, never_use_a_discount_more_often_than_its_limit) {
  repeat(test::race_for_uses);
}

TEST_P(Races, never_sell_what_is_not_in_stock) {
  repeat(test::race_for_stock);
}

TEST_P(Races, never_give_a_key_to_two_buyers) {
  repeat(test::race_for_keys);
}

TEST_P(Races, give_an_order_number_to_one) {
  repeat(test::race_for_number);
}

TEST_P(Races, have_one_effect_for_one_idempotency_key) {
  repeat([](const test::Race& race) { return test::race_for_effect(race, true); });
}

TEST_P(Races, lose_no_update_made_with_if_match) {
  repeat(test::race_to_update);
}

TEST_P(Races, settle_an_order_that_is_paid_and_cancelled_at_once) {
  repeat(test::race_to_settle);
}

TEST_P(Races, add_up_the_periods_of_a_membership) {
  repeat(test::race_to_renew);
}

TEST_P(Races, take_a_code_of_a_second_factor_once) {
  repeat(test::race_for_code);
}

}  // namespace
}  // namespace guildhall
