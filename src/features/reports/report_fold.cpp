#include "features/reports/report_fold.h"

#include "features/fund/fund_store.h"
#include "features/payments/payment_store.h"
#include "features/payments/refunds/refund_events.h"
#include "features/reports/report_store.h"
#include "storage/readable_rows.h"

namespace guildhall {
namespace {

constexpr int folds_a_tenant_max = 100;  // then it is the next tenant's turn

// The provider of the payment that has just been settled; MANUAL if there is none.
PaymentProvider paying_provider(Tx& tx, const Order& order) {
  for (const Payment& payment : tx.all(payments_of_order(order.tenant_id, order.id))) {
    if (payment.confirmed && has_money(payment.status)) return payment.provider;
  }
  return manual_provider;
}

void on_announced(const ActionContext& context, const OrderAnnounced& event) {
  if (event.is_paid && event.id != nullptr) context.tx.read_ahead(payments_of_order(context.tenant, *event.id).query);
}

void on_paid(const ActionContext& context, const OrderPaid& event) {
  const Order& order = event.order;
  // An order that is created as paid has no payments.
  const PaymentProvider provider = order.version == 1 ? manual_provider : paying_provider(context.tx, order);
  if (provider != manual_provider) record_provider(context.tx, context.tenant, order.id, provider);
  append_facts(context.tx, context.tenant, facts_of_sale(order, provider), context.now);
}

void on_changed(const ActionContext& context, const PaidOrderChanged& event) {
  if (!changes_facts(event.before, event.order)) return;
  const PaymentProvider provider =
      context.tx.one(recorded_provider(context.tenant, event.order.id)).value_or(manual_provider);
  ReportFacts before = facts_of_sale(event.before, provider);
  before.factor = -1;
  append_facts(context.tx, context.tenant, before, context.now);
  append_facts(context.tx, context.tenant, facts_of_sale(event.order, provider), context.now);
}

void on_refund(const ActionContext& context, const RefundChanged& event) {
  const bool counted = event.before != nullptr && event.before->status == RefundStatus::DONE;
  const bool counts = event.refund.status == RefundStatus::DONE;
  if (counted == counts) return;
  const auto payment = context.tx.one(payment_by_id(context.tenant, event.refund.payment_id));
  ReportFacts facts =
      facts_of_refund(counts ? event.refund : *event.before, payment ? payment->provider : manual_provider);
  facts.factor = counts ? 1 : -1;
  append_facts(context.tx, context.tenant, facts, context.now);
}

// Returns whether there may be more.
bool collect_fund(Tx& tx, const TenantId& tenant, const ReportState& state, ReportChanges& changes) {
  const auto fund = tx.one(fund_totals_of(tenant));
  if (!fund || fund->sequence <= state.fund_sequence) return false;
  const auto ledger = tx.all(entries_after(tenant, state.fund_sequence, fund->sequence, entries_a_fold));
  for (const LedgerEntry& entry : ledger) {
    changes.add(entry, fund->currency);
  }
  if (ledger.empty()) return false;
  set_fund_sequence(tx, tenant, ledger.back().sequence);
  return std::ssize(ledger) == entries_a_fold;
}

}  // namespace

void subscribe_reports(Events& events) {
  events.subscribe<OrderAnnounced>(on_announced);
  events.subscribe<OrderPaid>(on_paid);
  events.subscribe<PaidOrderChanged>(on_changed);
  events.subscribe<RefundChanged>(on_refund);
}

bool fold_entries(Tx& tx, const TenantId& tenant, const JobFailures& failures) {
  const ReportState state = lock_state(tx, tenant);
  ReportChanges changes;
  const auto entries = readable_rows(tx, oldest_entries(tenant, entries_a_fold), failures, tenant.text());
  for (const auto& entry : entries) {
    if (entry.record) {
      changes.add(entry.record->facts);
    } else {
      request_rebuild(tx, tenant);
    }
    delete_entry(tx, tenant, entry.id);
  }
  const bool more = collect_fund(tx, tenant, state, changes);
  write_changes(tx, tenant, std::move(changes));
  return more || std::ssize(entries) == entries_a_fold;
}

bool has_unfolded_entries(Tx& tx, const TenantId& tenant) {
  if (!tx.all(oldest_entries(tenant, 1)).empty()) return true;
  const auto fund = tx.one(fund_totals_of(tenant));
  const auto state = tx.one(report_state_of(tenant));
  return fund && fund->sequence > (state ? state->fund_sequence : 0);
}

void fold_all_entries(Storage& storage, const JobFailures& failures) {
  std::optional<TenantId> tenant = TenantId();
  while (true) {
    storage.read_now([&, after = *tenant](Tx& tx) { tenant = tx.one(next_tenant_with_entries(after)); });
    if (!tenant) return;
    failures.attempt({.tenant = tenant->text()}, [&] {
      bool more = true;
      for (int folds = 0; more && folds < folds_a_tenant_max; ++folds) {
        storage.write_now([&](Tx& tx) { more = fold_entries(tx, *tenant, failures); });
      }
    });
  }
}

void write_changes(Tx& tx, const TenantId& tenant, ReportChanges changes) {
  add_customer_orders(tx, tenant, changes.customer_orders, changes.totals);
  add_totals(tx, tenant, changes.totals);
}

}  // namespace guildhall
