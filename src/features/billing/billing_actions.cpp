#include "features/billing/billing_actions.h"

#include "audit/audit.h"
#include "base/text.h"
#include "features/billing/billing_store.h"

namespace guildhall {
namespace {

const Actor provider{ActorKind::PROVIDER, "BILLING", ""};

// Changes of an account are written to its tenant's audit trail.
void audit_account(Tx& tx, const BillingAccount& before, const BillingAccount& after, Instant now) {
  if (!after.owner_tenant_id) return;
  const AccountView was = view_of(before), is = view_of(after);
  audit_change(tx, *after.owner_tenant_id, provider, {"billing-account", after.customer_id}, &was, &is, now);
}

bool change_invoice(Tx& tx, const BillingEvent& event, Instant now) {
  auto known = tx.one(invoice_by_id(event.invoice));
  BillingInvoice invoice = known ? std::move(*known) : BillingInvoice{};
  if (!known) {
    invoice.invoice_id = event.invoice;
    invoice.created_at = now;
  }
  if (!event.customer.empty()) invoice.customer_id = event.customer;
  bool report = false;
  if (event.kind == BillingEvent::Kind::invoice_paid) {
    learn_paid(invoice, *event.paid_at, event.payment_intent, event.at);
  } else {
    report = learn_failed(invoice, storable_text(event.failure), event.at);
  }
  invoice.updated_at = now;
  save_invoice(tx, invoice);
  return report;
}

void tell_operations(Tx& tx, const OperationsContact& operations, const BillingEvent& event, Instant now) {
  notify_operations(
      tx, operations, "Payment failed: " + event.invoice,
      fmt::format("The payment of invoice {} of customer {}{} failed.\n\n{}\n", event.invoice,
                  event.customer.empty() ? "(unknown)" : event.customer,
                  event.tenant_id.empty() ? "" : " (tenant " + event.tenant_id + ")", storable_text(event.failure)),
      now);
}

}  // namespace

void change_account(Tx& tx, const std::string& customer_id, Instant now, FunctionRef<void(BillingAccount&)> edit) {
  auto known = tx.one(account_by_customer(customer_id));
  BillingAccount account = known ? std::move(*known) : BillingAccount{};
  if (!known) {
    account.customer_id = customer_id;
    account.created_at = now;
  }
  const BillingAccount before = account;
  edit(account);
  account.updated_at = now;
  save_account(tx, account);
  audit_account(tx, before, account, now);
}

void apply_billing_event(Tx& tx, const OperationsContact& operations, const BillingEvent& event, Instant now) {
  const bool about_invoice = !event.invoice.empty();
  const bool report = about_invoice && change_invoice(tx, event, now);
  if (report) tell_operations(tx, operations, event, now);
  if (event.customer.empty()) return;
  change_account(tx, event.customer, now, [&](BillingAccount& account) {
    if (!event.tenant_id.empty()) learn_owner(account, TenantId(event.tenant_id), event.at);
    if (!about_invoice) learn(account, event.subscription);
    if (event.kind == BillingEvent::Kind::invoice_failed) {
      learn_failure(account, storable_text(event.failure), event.at);
    }
  });
}

}  // namespace guildhall
