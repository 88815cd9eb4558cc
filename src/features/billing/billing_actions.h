#pragma once

#include "base/function_ref.h"
#include "features/billing/billing_event.h"
#include "features/email/email.h"
#include "storage/database.h"

// What happens to accounts and invoices, inside the caller's transaction. All of it may happen again, and in any order.
namespace guildhall {

// A customer that is not known yet gets an account.
void change_account(Tx& tx, const std::string& customer_id, Instant now, FunctionRef<void(BillingAccount&)> edit);

// An event of the provider, verified. A failed payment is also told to operations, once.
void apply_billing_event(Tx& tx, const OperationsContact& operations, const BillingEvent& event, Instant now);

}  // namespace guildhall
