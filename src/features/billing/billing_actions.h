#pragma once

#include "base/function_ref.h"
#include "features/billing/billing_event.h"
#include "features/email/email.h"
#include "storage/database.h"

// Actions on billing accounts and invoices, inside the caller's transaction. They are idempotent and may run in any
// order.
namespace guildhall {

// Creates the customer's account if there is none.
void change_account(Tx& tx, const std::string& customer_id, Instant now, FunctionRef<void(BillingAccount&)> edit);

// Applies a verified event of the provider. A failed payment is also reported to the operator by email, once.
void apply_billing_event(Tx& tx, const OperationsContact& operations, const BillingEvent& event, Instant now);

}  // namespace guildhall
