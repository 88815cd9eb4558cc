#pragma once

#include "features/fund/fund_ledger.h"
#include "outbox/events.h"

// The actions on the community fund, shared by the API, the bot, orders and payments. Each runs in the caller's
// transaction. Those that change the balance lock its row until the commit, so call them as late as possible.
namespace guildhall {

// The tenant's configuration. If there is none, it is created with the defaults; simultaneous calls create one.
FundConfig find_or_create_fund_config(const ActionContext& context);

// The same without creating it.
FundConfig fund_config_or_default(Tx& tx, const TenantId& tenant, Instant now);

// `check` sees the record as it was, after the patch was found to be valid, and may throw. Throws FUND_CURRENCY_FIXED
// if the patch changes the currency and the ledger has entries.
FundConfig change_fund_config(const ActionContext& context, const FundConfigPatch& patch,
                              FunctionRef<void(const FundConfig&)> check);

// Records money that an admin collected without an order. Throws COMMUNITY_FUND_DISABLED, ANONYMITY_NOT_ALLOWED.
Contribution record_contribution(const ActionContext& context, const NewContribution& input);

// Throws Failure invalid if the recipient is no customer of the tenant.
void require_recipient(Tx& tx, const TenantId& tenant, const NewDisbursement& input);

// Pays out of the fund. The caller has checked the permission (may_approve). Throws COMMUNITY_FUND_DISABLED,
// INSUFFICIENT_BALANCE, and invalid for a recipient who is no customer of the tenant.
Disbursement disburse(const ActionContext& context, const UserId& approved_by, const NewDisbursement& input);

struct OrderContribution {
  OrderId order;
  std::optional<CustomerId> customer;
  std::string donor_name;
  Cents amount;
  std::string currency;
  bool anonymous = false;
};

// Books the contribution of a paid order, once per order: a second call does nothing. It also books when the fund is
// disabled, because the money has been paid. An amount in another currency than the fund's is not booked; an audit
// entry says so, and a person decides.
void contribute_from_order(const ActionContext& context, const OrderContribution& input);

// The part of the order's contribution that has not been given back.
Cents contribution_left(Tx& tx, const TenantId& tenant, const OrderId& order);

// Gives back all of the order's contribution that was not given back before. Does nothing for an order without a
// contribution. Throws INSUFFICIENT_BALANCE if the fund no longer holds the amount.
void reverse_for_refund(const ActionContext& context, const OrderId& order);

struct Reversal {
  Cents reversed;  // by this call
  Cents missing;   // the shortfall: the fund no longer holds it, and the caller records it
};

// Gives back the order's contribution up to the available balance, for a refund that cannot be refused because the
// money has been returned already. A later call gives back what was missing. `source` is REFUND or CHARGEBACK.
Reversal reverse_as_far_as_possible(const ActionContext& context, const OrderId& order, LedgerSource source);

// Subscribes the fund to the events of orders. ContributionRequested: throws FUND_CURRENCY_MISMATCH if the order is in
// another currency than the fund. OrderPaid: books the amount that was paid for community-fund items. OrderRefunded:
// gives it back; throws INSUFFICIENT_BALANCE only if the cause is RefundCause::requested.
void subscribe_fund(Events& events);

}  // namespace guildhall
