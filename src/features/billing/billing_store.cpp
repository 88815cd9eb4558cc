#include "features/billing/billing_store.h"

#include "storage/record_table.h"

namespace guildhall {
namespace {

const RecordTable<BillingAccount> account_table("billing_accounts",
                                                {.on_conflict = "(tenant_id, customer_id) DO NOTHING"});
const RecordTable<BillingInvoice> invoice_table("billing_invoices",
                                                {.on_conflict = "(tenant_id, invoice_id) DO NOTHING"});
const std::string select_account = account_table.select + " WHERE tenant_id = ''";
const std::string select_invoice = invoice_table.select + " WHERE tenant_id = ''";

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

void save_account(Tx& tx, BillingAccount& account) {
  account_table.save(tx, account);
}

void save_invoice(Tx& tx, BillingInvoice& invoice) {
  invoice_table.save(tx, invoice);
}

}  // namespace guildhall
