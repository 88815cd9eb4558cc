// Rules for payments, refunds, the community fund and memberships.
#include "app/ops/transfer/import_rules.h"
#include "features/fund/fund_ledger.h"
#include "features/memberships/membership_code.h"
#include "features/payments/methods/payment_method_store.h"
#include "features/payments/refunds/refund.h"

namespace guildhall {

struct InvoiceLinkRow {
  TenantId tenant_id;
  OrderId order_id;
  std::int64_t generation = 0;
  Instant updated_at;
};
BOOST_DESCRIBE_STRUCT(InvoiceLinkRow, (), (tenant_id, order_id, generation, updated_at))

struct PaidWithRow {
  TenantId tenant_id;
  OrderId order_id;
  PaymentProvider provider;
};
BOOST_DESCRIBE_STRUCT(PaidWithRow, (), (tenant_id, order_id, provider))

struct BalanceRow : FundTotals {
  TenantId tenant_id;
};
BOOST_DESCRIBE_STRUCT(BalanceRow, (FundTotals), (tenant_id))

struct LedgerRow : LedgerEntry {
  std::optional<std::int64_t> previous_sequence;
  std::optional<std::int64_t> balance_before_cents;
};
BOOST_DESCRIBE_STRUCT(LedgerRow, (LedgerEntry), (previous_sequence, balance_before_cents))

struct MembershipFactRow {
  TenantId tenant_id;
  std::string id;
  Currency currency;
  Instant at;
  MembershipFactKind kind = MembershipFactKind::STARTED;
  std::int64_t value_cents = 0;
};
BOOST_DESCRIBE_STRUCT(MembershipFactRow, (), (tenant_id, id, currency, at, kind, value_cents))

struct ReminderRow {
  TenantId tenant_id;
  MembershipId membership_id;
  MembershipPeriodId period_id;
  std::int64_t day = 0;
  Instant sent_at;
};
BOOST_DESCRIBE_STRUCT(ReminderRow, (), (tenant_id, membership_id, period_id, day, sent_at))

namespace {

// The author of an export must not have this installation's operator account asked about a payment, or refund it: all
// imported payments belong to accounts of the tenant.
void adjust_payment(Payment& payment, const Importing&, Problems& problems) {
  const auto& page = payment.checkout_url.value;
  if (page && !is_http_url(*page)) problems.push_back({"checkout_url", "must be an address"});
  if (payment.status == PaymentStatus::OPEN && !(page && payment.provider_payment_id)) {
    problems.push_back({"status", "cannot be OPEN without the processor's id and page"});
  }
  if (payment.refunded_cents > payment.amount_cents) {
    problems.push_back({"refunded_cents", "must not be more than the payment"});
  }
  payment.opened_with.value = AccountOwner::TENANT;
}

void adjust_fund(FundConfig& config, const Importing&, Problems&) {
  apply(FundConfigPatch{}, config);  // checks the whole configuration
}

void adjust_membership(Membership& membership, const Importing&, Problems& problems) {
  if (membership.changes.value.size() > membership_changes_max) {
    problems.push_back({"changes", fmt::format("must have at most {} elements", membership_changes_max)});
  }
  const auto& reminders = membership.reminder_days.value;
  if (reminders.size() > reminders_max ||
      std::ranges::any_of(reminders, [](auto day) { return day < 1 || day > 365; })) {
    problems.push_back({"reminder_days", "must be at most 10 numbers from 1 to 365"});
  }
}

constexpr std::int64_t grace_days_max = 90;  // of MembershipTerms

void adjust_period(MembershipPeriod& period, const Importing&, Problems& problems) {
  for (const std::int64_t number : {period.months, period.days, period.value_cents, period.list_months.value,
                                    period.list_days.value, period.list_cents.value, period.grace_days.value}) {
    if (number < 0) problems.push_back({"", "lengths and amounts must not be negative"});
  }
  if (period.grace_days.value > grace_days_max) problems.push_back({"grace_days", "must be from 0 to 90"});
  if (!TimeZone::find(period.time_zone)) problems.push_back({"time_zone", "must be a time zone"});
}

void adjust_code(MembershipCode& code, const Importing&, Problems& problems) {
  constexpr std::int64_t periods_max = 120;  // of NewMembershipCodes
  if (code.periods < 1 || code.periods > periods_max) problems.push_back({"periods", "must be from 1 to 120"});
}

}  // namespace

std::vector<ImportRule> money_rules() {
  return {
      rule<StoredMethod, PaymentMethodPatch>("payment_methods"),
      rule<Payment>("payments", adjust_payment),
      rule<Refund>("refunds"),
      rule<InvoiceLinkRow>("invoice_links"),
      rule<PaidWithRow>("report_paid_with"),
      rule<BalanceRow>("fund_balances"),
      rule<LedgerRow>("fund_ledger"),
      rule<FundConfig, FundConfigPatch>("fund_configs", adjust_fund),
      rule<Membership, MembershipPatch>("memberships", adjust_membership),
      rule<MembershipPeriod>("membership_periods", adjust_period),
      rule<MembershipFactRow>("membership_facts"),
      rule<ReminderRow>("membership_reminders"),
      rule<MembershipCode>("membership_codes", adjust_code),
      derived("membership_code_batches"),  // a new tenant begins at none
  };
}

}  // namespace guildhall
