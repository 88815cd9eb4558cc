#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/declared.h"
#include "base/money.h"
#include "features/fund/fund_config.h"

// The records of the community fund's ledger and their sums. Pure: no clock, no database.
namespace guildhall {

enum class LedgerKind { CONTRIBUTION, DISBURSEMENT };
BOOST_DESCRIBE_ENUM(LedgerKind, CONTRIBUTION, DISBURSEMENT)

enum class LedgerSource {
  ADMIN,       // recorded or approved by a person
  ORDER,       // the contribution of a paid order
  REFUND,      // given back for a refund
  CHARGEBACK,  // given back because a payment processor reported a refund or charge-back
};
BOOST_DESCRIBE_ENUM(LedgerSource, ADMIN, ORDER, REFUND, CHARGEBACK)

struct Contribution {
  std::string id;
  TenantId tenant_id;
  std::optional<CustomerId> customer_id;  // null: the order named no customer
  std::optional<OrderId> order_id;
  std::int64_t amount_cents = 0;  // negative: given back
  bool anonymous = false;
  Instant created_at;
};
BOOST_DESCRIBE_STRUCT(Contribution, (), (id, tenant_id, customer_id, order_id, amount_cents, anonymous, created_at))

struct Disbursement {
  std::string id;
  TenantId tenant_id;
  CustomerId recipient_customer_id;
  std::int64_t amount_cents = 0;
  std::string reason;
  UserId approved_by;
  Instant created_at;
};
BOOST_DESCRIBE_STRUCT(Disbursement, (),
                      (id, tenant_id, recipient_customer_id, amount_cents, reason, approved_by, created_at))

// A row of the ledger: the balance after it is the balance before it plus its change.
struct LedgerEntry {
  std::string id;
  TenantId tenant_id;
  std::int64_t sequence = 0;
  LedgerKind kind = LedgerKind::CONTRIBUTION;
  LedgerSource source = LedgerSource::ADMIN;
  std::optional<CustomerId> customer_id;
  std::optional<OrderId> order_id;
  Hidden<std::optional<std::int64_t>> order_part;
  std::int64_t change_cents = 0;
  std::int64_t balance_cents = 0;
  bool anonymous = false;
  std::optional<std::string> reason;
  std::optional<UserId> approved_by;
  Instant created_at;
};
BOOST_DESCRIBE_STRUCT(LedgerEntry, (),
                      (id, tenant_id, sequence, kind, source, customer_id, order_id, order_part, change_cents,
                       balance_cents, anonymous, reason, approved_by, created_at))

struct FundBalance {
  std::int64_t total_contributed_cents = 0;  // net of reversals
  std::int64_t total_disbursed_cents = 0;
  std::int64_t current_balance_cents = 0;
};
BOOST_DESCRIBE_STRUCT(FundBalance, (), (total_contributed_cents, total_disbursed_cents, current_balance_cents))

// The balance row of a tenant: the sums of its ledger.
struct FundTotals {
  std::string currency;
  std::int64_t sequence = 0;
  std::int64_t balance_cents = 0;
  std::int64_t contributed_cents = 0;
  std::int64_t disbursed_cents = 0;
  std::int64_t contributions = 0;
  std::int64_t disbursements = 0;

  FundBalance balance() const { return {contributed_cents, disbursed_cents, balance_cents}; }
  bool operator==(const FundTotals&) const = default;
};
BOOST_DESCRIBE_STRUCT(FundTotals, (),
                      (currency, sequence, balance_cents, contributed_cents, disbursed_cents, contributions,
                       disbursements))

struct NewContribution {
  CustomerId customer_id;
  PositiveCents amount_cents;
  Default<bool> anonymous{false};
  std::optional<OrderId> order_id;
};
BOOST_DESCRIBE_STRUCT(NewContribution, (), (customer_id, amount_cents, anonymous, order_id))

struct NewDisbursement {
  CustomerId recipient_customer_id;
  PositiveCents amount_cents;
  Text<1000> reason;
};
BOOST_DESCRIBE_STRUCT(NewDisbursement, (), (recipient_customer_id, amount_cents, reason))

Contribution contribution_of(const LedgerEntry& entry);
Disbursement disbursement_of(const LedgerEntry& entry);

Failure insufficient_balance();

// The part of an order's contribution that has not been given back yet.
Cents remaining_of(const std::vector<LedgerEntry>& order_entries);

// Recomputes a ledger from its first entry and collects what is wrong.
class LedgerAudit {
 public:
  // Call it for all entries in the order of their sequence numbers.
  void add(const LedgerEntry& entry);

  // Compares the sums with the balance row. Call it after the last entry.
  void compare(const FundTotals& stored);

  std::int64_t entries() const { return totals_.sequence; }
  std::int64_t balance_cents() const { return totals_.balance_cents; }
  const std::vector<std::string>& problems() const { return problems_; }

 private:
  void expect(bool fine, std::string problem);

  FundTotals totals_;
  std::vector<std::string> problems_;
};

}  // namespace guildhall
