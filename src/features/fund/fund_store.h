#pragma once

#include "features/fund/fund_ledger.h"
#include "storage/database.h"

// All reading SQL of the community fund, and the configuration's. The ledger itself is written by fund_book alone.
namespace guildhall {

Select<FundConfig> fund_config_of(const TenantId& tenant);

// False if the tenant has one already.
bool insert_fund_config(Tx& tx, const FundConfig& config);

// Writes over the version it was read at, counting the version up. Throws WriteRace if it has changed.
void update_fund_config(Tx& tx, FundConfig& config);

// One row, whatever the length of the ledger; none before the first entry.
Select<FundTotals> fund_totals_of(const TenantId& tenant);

// Newest first.
Select<LedgerEntry> entries_of_kind(const TenantId& tenant, LedgerKind kind, std::int64_t limit, std::int64_t offset);
Select<LedgerEntry> entries_before(const TenantId& tenant, std::int64_t sequence, std::int64_t limit);

// Oldest first, up to and including `last`.
Select<LedgerEntry> entries_after(const TenantId& tenant, std::int64_t sequence, std::int64_t last, std::int64_t limit);

// The amount that the order brought, then the amount that was given back of it.
Select<LedgerEntry> entries_of_order(const TenantId& tenant, const OrderId& order);

// A contribution as anybody may see it.
struct PublicContribution {
  std::int64_t amount_cents = 0;
  std::optional<std::string> donor;  // null: anonymous, unknown, or given back
  Instant created_at;
  Hidden<std::int64_t> sequence;
};
BOOST_DESCRIBE_STRUCT(PublicContribution, (), (amount_cents, donor, created_at, sequence))

Select<PublicContribution> public_contributions_before(const TenantId& tenant, std::int64_t sequence,
                                                       std::int64_t limit);

// For the verification of everything.
Select<TenantId> tenants_with_a_fund();
Select<std::int64_t> entries_beyond_the_balance(const TenantId& tenant);
Select<std::int64_t> orders_given_back_too_much(const TenantId& tenant);

// Recomputes the ledger of one tenant, or of every tenant that has one, and prints the result. Returns true if all of
// them are correct. It only reads, in steps of 1,000 entries, and is safe beside a running server: entries never
// change, and it checks those up to the balance that it has read. As JSON: one object in each line.
bool verify_funds(Tx& tx, const std::optional<TenantId>& tenant, std::ostream& out, bool as_json = false);

}  // namespace guildhall
