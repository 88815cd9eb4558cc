// The constraints with which the database refuses wrong ledgers, should the code ever be wrong.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <list>
#include <sstream>

#include "features/fund/fund_actions.h"
#include "features/fund/fund_store.h"
#include "storage/columns.h"
#include "storage/migrations.h"
#include "support/engines.h"

namespace guildhall {
namespace {

const TenantId tenant(std::string("shop"));
const Actor nobody;

class FundTables : public test::OnEachEngine {
 protected:
  void SetUp() override {
    migrate(*storage);
    storage->write_now([](Tx& tx) {
      change_fund_config({tx, Events(), tenant, nobody, now()}, from_json<FundConfigPatch>(R"({"enabled":true})"),
                         [](const FundConfig&) {});
    });
    for (const int cents : {100, 200, 300}) {
      storage->write_now([&](Tx& tx) {
        record_contribution({tx, Events(), tenant, nobody, now()},
                            from_json<NewContribution>(fmt::format(R"({{"customerId":"c","amountCents":{}}})", cents)));
      });
    }
  }

  // The name of the constraint that refuses the statement; empty if none does.
  std::string refusal(const std::string& text) {
    const Sql& sql = statements.emplace_back(text);
    try {
      storage->write_now([&](Tx& tx) { tx.run({&sql, {}}); });
      return "";
    } catch (const ConstraintViolation& violation) {
      return violation.constraint.empty() ? "foreign key" : violation.constraint;
    }
  }
  bool verified(const std::optional<TenantId>& which = std::nullopt) {
    report.str("");
    bool well = false;
    storage->write_now([&](Tx& tx) { well = verify_funds(tx, which, report); });
    return well;
  }

  std::ostringstream report;
  std::list<Sql> statements;  // engines know a statement by its address, which a list keeps
};
INSTANTIATE_TEST_SUITE_P(Engines, FundTables, test::engines, test::engine_name);

TEST_P(FundTables, refuse_a_balance_that_is_wrong) {
  EXPECT_EQ(refusal("UPDATE fund_balances SET balance_cents = -1, disbursed_cents = 601"),
            "fund_balances_never_negative");
  EXPECT_EQ(refusal("UPDATE fund_balances SET balance_cents = balance_cents + 1"), "fund_balances_add_up");
  EXPECT_EQ(refusal("UPDATE fund_balances SET sequence = 7"), "fund_balances_count");
}

TEST_P(FundTables, refuse_changed_money_and_missing_rows) {
  EXPECT_EQ(refusal("UPDATE fund_ledger SET change_cents = 201 WHERE sequence = 2"), "fund_ledger_runs");
  EXPECT_EQ(
      refusal("UPDATE fund_ledger SET balance_cents = -300, change_cents = -500, source = 'REFUND', order_part = 1,"
              " order_id = 'o' WHERE sequence = 2"),
      "fund_ledger_never_negative");
  for (const char* statement :
       {"DELETE FROM fund_ledger WHERE sequence = 1", "DELETE FROM fund_ledger WHERE sequence = 2",
        "UPDATE fund_ledger SET change_cents = 201, balance_cents = 301 WHERE sequence = 2",
        "UPDATE fund_ledger SET change_cents = 301, balance_before_cents = 299 WHERE sequence = 3"}) {
    EXPECT_NE(refusal(statement), "") << statement;
  }
  EXPECT_TRUE(verified()) << report.str();
}

TEST_P(FundTables, refuse_a_fork_and_a_gap) {
  const auto insert = [&](int sequence, int change, int balance, const std::string& before) {
    return refusal(fmt::format(
        "INSERT INTO fund_ledger (id, tenant_id, sequence, kind, source, change_cents, balance_cents, anonymous,"
        " created_at, previous_sequence, balance_before_cents)"
        " VALUES ('x', 'shop', {}, 'CONTRIBUTION', 'ADMIN', {}, {}, false, 1, {})",
        sequence, change, balance, before));
  };
  EXPECT_EQ(insert(3, 1, 301, "2, 300"), "fund_ledger_pkey");
  EXPECT_NE(insert(5, 1, 601, "4, 600"), "");
  EXPECT_NE(insert(4, 1, 601, "2, 600"), "");
  EXPECT_NE(insert(4, 1, 1, "NULL, NULL"), "");
  EXPECT_NE(insert(4, 1, 500, "3, 499"), "") << "another balance than the last row's";
  EXPECT_NE(insert(4, -700, -100, "3, 600"), "");
}

TEST_P(FundTables, are_verified_by_recomputing_them) {
  EXPECT_TRUE(verified());
  EXPECT_NE(report.str().find("shop: 3 entries, balance 600 cents"), std::string::npos) << report.str();
  EXPECT_TRUE(verified(TenantId(std::string("other"))));
  EXPECT_EQ(refusal("DELETE FROM fund_ledger WHERE sequence = 3"), "") << "the last row is nobody's predecessor";
  EXPECT_FALSE(verified());
  EXPECT_NE(report.str().find("PROBLEM"), std::string::npos) << report.str();
  EXPECT_FALSE(verified(tenant));
  EXPECT_EQ(
      refusal("UPDATE fund_balances SET balance_cents = 100, contributed_cents = 100, sequence = 1, contributions = 1"),
      "");
  EXPECT_FALSE(verified()) << "a row that the balance does not know";
}

}  // namespace
}  // namespace guildhall
