#include "features/fund/fund_ledger.h"

namespace guildhall {
namespace {

constexpr std::size_t problems_shown_max = 20;

}  // namespace

Contribution contribution_of(const LedgerEntry& entry) {
  return {.id = entry.id,
          .tenant_id = entry.tenant_id,
          .customer_id = entry.customer_id,
          .order_id = entry.order_id,
          .amount_cents = entry.change_cents,
          .anonymous = entry.anonymous,
          .created_at = entry.created_at};
}

Disbursement disbursement_of(const LedgerEntry& entry) {
  return {.id = entry.id,
          .tenant_id = entry.tenant_id,
          .recipient_customer_id = entry.customer_id.value_or(CustomerId()),
          .amount_cents = -entry.change_cents,
          .reason = entry.reason.value_or(""),
          .approved_by = entry.approved_by.value_or(UserId()),
          .created_at = entry.created_at};
}

Failure insufficient_balance() {
  return bad_request("INSUFFICIENT_BALANCE", "The community fund does not hold that much.");
}

Cents remaining_of(const std::vector<LedgerEntry>& order_entries) {
  std::int64_t sum = 0;
  for (const LedgerEntry& entry : order_entries) sum += entry.change_cents;
  return Cents(sum);
}

void LedgerAudit::expect(bool fine, std::string problem) {
  if (!fine && problems_.size() < problems_shown_max) problems_.push_back(std::move(problem));
}

void LedgerAudit::add(const LedgerEntry& entry) {
  expect(entry.sequence == totals_.sequence + 1,
         fmt::format("entry {} follows entry {}", entry.sequence, totals_.sequence));
  const std::int64_t balance = totals_.balance_cents + entry.change_cents;
  expect(entry.balance_cents == balance, fmt::format("entry {} says a balance of {}, but it comes to {}",
                                                     entry.sequence, entry.balance_cents, balance));
  expect(balance >= 0, fmt::format("the balance after entry {} is below zero: {}", entry.sequence, balance));
  totals_.sequence = entry.sequence;
  totals_.balance_cents = balance;
  if (entry.kind == LedgerKind::CONTRIBUTION) {
    totals_.contributed_cents += entry.change_cents;
    ++totals_.contributions;
  } else {
    expect(entry.change_cents < 0, fmt::format("entry {} is a disbursement that adds money", entry.sequence));
    totals_.disbursed_cents -= entry.change_cents;
    ++totals_.disbursements;
  }
}

void LedgerAudit::compare(const FundTotals& stored) {
  const auto same = [&](std::string_view what, std::int64_t FundTotals::*member) {
    expect(totals_.*member == stored.*member,
           fmt::format("{}: the balance row says {}, the ledger adds up to {}", what, stored.*member, totals_.*member));
  };
  same("entries", &FundTotals::sequence);
  same("balance", &FundTotals::balance_cents);
  same("contributed", &FundTotals::contributed_cents);
  same("disbursed", &FundTotals::disbursed_cents);
  same("number of contributions", &FundTotals::contributions);
  same("number of disbursements", &FundTotals::disbursements);
}

}  // namespace guildhall
