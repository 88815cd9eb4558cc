#pragma once

#include "features/billing/account.h"
#include "storage/database.h"

// All SQL of platform billing. Its rows belong to the platform, not to a tenant: their tenant_id is empty.
namespace guildhall {

Select<BillingAccount> account_by_customer(const std::string& customer_id);

// The account of the tenant. If there are several, the one that was changed last.
Select<BillingAccount> account_of_tenant(const TenantId& owner);

Select<BillingInvoice> invoice_by_id(const std::string& invoice_id);
Select<BillingInvoice> invoices_of(const std::string& customer_id, std::int64_t limit);  // newest first

// A record of version 0 is inserted. Each throws WriteRace if the record was changed since it was read.
void save_account(Tx& tx, BillingAccount& account);
void save_invoice(Tx& tx, BillingInvoice& invoice);

}  // namespace guildhall
