#include "features/billing/billing_store.h"

#include "storage/columns.h"

namespace guildhall {
namespace {

const std::string select_account =
    "SELECT " + columns<BillingAccount>() + " FROM billing_accounts WHERE tenant_id = ''";
const std::string select_invoice =
    "SELECT " + columns<BillingInvoice>() + " FROM billing_invoices WHERE tenant_id = ''";

}  // namespace

static const Sql by_customer_sql(select_account + " AND customer_id = $1");

Select<BillingAccount> account_by_customer(const std::string& customer_id) {
  return {{&by_customer_sql, params(customer_id)}, read_row<BillingAccount>};
}

static const Sql of_tenant_sql(select_account +
                               " AND owner_tenant_id = $1 ORDER BY updated_at DESC, customer_id DESC LIMIT 1");

Select<BillingAccount> account_of_tenant(const TenantId& owner) {
  return {{&of_tenant_sql, params(owner)}, read_row<BillingAccount>};
}

static const Sql invoice_sql(select_invoice + " AND invoice_id = $1");

Select<BillingInvoice> invoice_by_id(const std::string& invoice_id) {
  return {{&invoice_sql, params(invoice_id)}, read_row<BillingInvoice>};
}

static const Sql invoices_sql(select_invoice +
                              " AND customer_id = $1 ORDER BY created_at DESC, invoice_id DESC LIMIT $2");

Select<BillingInvoice> invoices_of(const std::string& customer_id, std::int64_t limit) {
  return {{&invoices_sql, params(customer_id, limit)}, read_row<BillingInvoice>};
}

static const Sql insert_account_sql("INSERT INTO billing_accounts (" + columns<BillingAccount>() + ") VALUES (" +
                                    placeholders<BillingAccount>() +
                                    ") ON CONFLICT (tenant_id, customer_id) DO NOTHING");
static const Sql update_account_sql(versioned_update<BillingAccount>("billing_accounts"));

void save_account(Tx& tx, BillingAccount& account) {
  write_versioned(tx, account.version == 0 ? insert_account_sql : update_account_sql, account);
}

static const Sql insert_invoice_sql("INSERT INTO billing_invoices (" + columns<BillingInvoice>() + ") VALUES (" +
                                    placeholders<BillingInvoice>() +
                                    ") ON CONFLICT (tenant_id, invoice_id) DO NOTHING");
static const Sql update_invoice_sql(versioned_update<BillingInvoice>("billing_invoices"));

void save_invoice(Tx& tx, BillingInvoice& invoice) {
  write_versioned(tx, invoice.version == 0 ? insert_invoice_sql : update_invoice_sql, invoice);
}

}  // namespace guildhall
