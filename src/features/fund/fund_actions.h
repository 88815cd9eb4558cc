#pragma once

#include "base/actor.h"
#include "features/fund/fund_ledger.h"
#include "storage/database.h"

// What can be done with the community fund, inside the caller's transaction: shared by the API, the bot, the orders and
// the payments. Each locks the tenant's balance at its end: call it last.
namespace guildhall {

// The tenant's configuration, made with the defaults if there is none. Two at once make one.
FundConfig find_or_create_fund_config(Tx& tx, const TenantId& tenant, const Actor& actor, Instant now);

// The same without making one.
FundConfig fund_config_or_default(Tx& tx, const TenantId& tenant, Instant now);

// Throws FUND_CURRENCY_FIXED for another currency when there is money in the old one. `check` sees the record as it
// was, after the patch has been found to be valid, and may throw.
FundConfig change_fund_config(Tx& tx, const TenantId& tenant, const Actor& actor, const FundConfigPatch& patch,
                              FunctionRef<void(const FundConfig&)> check, Instant now);

// Money collected outside. Throws COMMUNITY_FUND_DISABLED, ANONYMITY_NOT_ALLOWED.
Contribution record_contribution(Tx& tx, const TenantId& tenant, const Actor& actor, const NewContribution& input,
                                 Instant now);

// Throws COMMUNITY_FUND_DISABLED, INSUFFICIENT_BALANCE, and invalid for a recipient who is no customer of the tenant.
// Whether the caller may approve it is asked before (may_approve).
Disbursement disburse(Tx& tx, const TenantId& tenant, const Actor& actor, const UserId& approved_by,
                      const NewDisbursement& input, Instant now);

struct OrderContribution {
  OrderId order;
  std::optional<CustomerId> customer;
  std::string donor_name;
  Cents amount;
  std::string currency;
  bool anonymous = false;
};

// Once per order; again is a no-op. Also when the fund is disabled: the money has come in. Money of another currency
// than the fund's is not booked but left in the audit trail for a person to decide.
void contribute_from_order(Tx& tx, const TenantId& tenant, const Actor& actor, const OrderContribution& input,
                           Instant now);

// What the order brought and has not been given back.
Cents contribution_left(Tx& tx, const TenantId& tenant, const OrderId& order);

// Gives back all of the order's contribution that was not given back before. Throws insufficient_balance when the fund
// no longer holds it. Nothing happens for an order that brought nothing.
void reverse_for_refund(Tx& tx, const TenantId& tenant, const Actor& actor, const OrderId& order, Instant now);

struct Reversal {
  Cents reversed;  // by this call
  Cents missing;   // the shortfall: the fund no longer holds it, and the caller records it
};

// Gives back the order's contribution up to the available balance, for a refund that cannot be refused because the
// money has been returned already. A later call gives back what was missing. `source` is REFUND or CHARGEBACK.
Reversal reverse_as_far_as_possible(Tx& tx, const TenantId& tenant, const Actor& actor, const OrderId& order,
                                    LedgerSource source, Instant now);

}  // namespace guildhall
