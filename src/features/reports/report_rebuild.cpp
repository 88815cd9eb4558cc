#include "features/reports/report_rebuild.h"

#include <fmt/ostream.h>
#include <ostream>

#include "base/log.h"
#include "features/fund/fund_store.h"
#include "features/reports/report_fold.h"
#include "features/reports/report_sources.h"
#include "features/reports/report_store.h"
#include "storage/readable_rows.h"

namespace guildhall {
namespace {

constexpr std::int64_t rows_a_step = 500;
constexpr int differences_shown_max = 20;
constexpr std::chrono::minutes claimed_for{10};

void add_orders(Tx& tx, const TenantId& tenant, ReportCorrections& result, const RebuildProgress& progress,
                const JobFailures& failures) {
  OrderId last;
  std::vector<ReadableRow<Order>> rows;
  do {
    rows = readable_rows(tx, paid_orders_after(tenant, last, rows_a_step), failures);
    if (rows.empty()) return;
    const OrderId end(rows.back().id);
    std::map<OrderId, PaymentProvider> providers;
    for (const PaidWith& each : tx.all(providers_between(tenant, last, end))) {
      providers[each.order_id] = each.provider;
    }
    for (const auto& [id, of_tenant, order] : rows) {
      if (!order) continue;
      const auto found = providers.find(order->id);
      result.changes.add(facts_of_sale(*order, found == providers.end() ? manual_provider : found->second));
      ++result.orders;
    }
    progress.orders_read(std::ssize(rows));
    last = end;
  } while (std::ssize(rows) == rows_a_step);
}

void add_refunds(Tx& tx, const TenantId& tenant, ReportCorrections& result, const JobFailures& failures) {
  RefundId last;
  std::vector<ReadableRow<DoneRefund>> rows;
  do {
    rows = readable_rows(tx, done_refunds_after(tenant, last, rows_a_step), failures, tenant.text());
    for (const auto& [id, of_tenant, done] : rows) {
      if (!done) continue;
      result.changes.add(facts_of_refund(done->refund, done->provider));
      ++result.refunds;
    }
    if (!rows.empty()) last = RefundId(rows.back().id);
  } while (std::ssize(rows) == rows_a_step);
}

// Only the part of the ledger that has been folded: the rest will be.
void add_ledger(Tx& tx, const TenantId& tenant, std::int64_t folded, ReportChanges& changes) {
  const auto fund = tx.one(fund_totals_of(tenant));
  if (!fund) return;
  std::int64_t last = 0;
  std::vector<LedgerEntry> entries;
  do {
    entries = tx.all(entries_after(tenant, last, folded, rows_a_step));
    for (const LedgerEntry& entry : entries) changes.add(entry, fund->currency);
    if (!entries.empty()) last = entries.back().sequence;
  } while (std::ssize(entries) == rows_a_step);
}

void subtract_entries(Tx& tx, const TenantId& tenant, ReportChanges& changes, const JobFailures& failures) {
  std::string last;
  std::vector<ReadableRow<ReportEntry>> rows;
  do {
    rows = readable_rows(tx, entries_after_id(tenant, last, rows_a_step), failures, tenant.text());
    for (const auto& [id, of_tenant, entry] : rows) {
      if (entry) changes.add(entry->facts, -1);
    }
    if (!rows.empty()) last = rows.back().id;
  } while (std::ssize(rows) == rows_a_step);
}

void subtract_totals(Tx& tx, const TenantId& tenant, Totals& totals) {
  // All rows are after this one, because no dimension and no level has an earlier name.
  TotalsKey last{Dimension::CUSTOMER, Level::DAY, "", "", {}};
  std::vector<StoredTotals> rows;
  do {
    rows = tx.all(totals_after(tenant, last, rows_a_step));
    for (const StoredTotals& row : rows) add(totals[row.key], row.measures, -1);
    if (!rows.empty()) last = rows.back().key;
  } while (std::ssize(rows) == rows_a_step);
}

// Also adds the new customers that follow from the stored orders of customers.
void subtract_customer_orders(Tx& tx, const TenantId& tenant, ReportChanges& changes) {
  CustomerOrder last;
  std::optional<CustomerOrder> counted;  // the last customer whose first order was found
  std::vector<StoredCustomerOrder> rows;
  do {
    rows = tx.all(customer_orders_after(tenant, last, rows_a_step));
    for (const auto& [order, entries] : rows) {
      changes.customer_orders[order] -= entries;
      const bool known = counted && counted->currency == order.currency && counted->customer_id == order.customer_id;
      if (known || entries <= 0) continue;
      counted = order;
      add_by_date(changes.totals, Dimension::SALES, order.currency, "", order.paid_at, {.new_customers = 1});
    }
    if (!rows.empty()) last = rows.back().order;
  } while (std::ssize(rows) == rows_a_step);
}

// Calls `take` with parts of the changes that are small enough for one transaction.
void in_parts(const ReportChanges& changes, FunctionRef<void(const ReportChanges&)> take) {
  ReportChanges part;
  const auto take_if = [&](std::int64_t rows) {
    if (part.rows() < rows) return;
    take(part);
    part = {};
  };
  for (const auto& row : changes.customer_orders) {
    part.customer_orders.insert(row);
    take_if(rows_a_step);
  }
  for (const auto& row : changes.totals) {
    part.totals.insert(row);
    take_if(rows_a_step);
  }
  take_if(1);
}

}  // namespace

ReportCorrections compare_reports(Tx& tx, const TenantId& tenant, const RebuildProgress& progress,
                                  const JobFailures& failures) {
  const ReportState state = tx.one(report_state_of(tenant)).value_or(ReportState{});
  ReportCorrections result;
  result.is_built = state.is_built;
  add_orders(tx, tenant, result, progress, failures);
  add_refunds(tx, tenant, result, failures);
  subtract_entries(tx, tenant, result.changes, failures);
  add_ledger(tx, tenant, state.fund_sequence, result.changes);
  subtract_customer_orders(tx, tenant, result.changes);
  subtract_totals(tx, tenant, result.changes.totals);
  std::erase_if(result.changes.totals, [](const auto& row) { return row.second == Measures(); });
  std::erase_if(result.changes.customer_orders, [](const auto& row) { return row.second == 0; });
  return result;
}

void print(std::ostream& out, const TenantId& tenant, const ReportCorrections& corrections) {
  fmt::print(out, "{}  {}: {} paid orders and {} refunds, {} differences\n",
             !corrections.is_built      ? "built  "
             : corrections.is_correct() ? "ok     "
                                        : "PROBLEM",
             tenant.text(), corrections.orders, corrections.refunds, corrections.differences());
  int shown = 0;
  for (const auto& [key, measures] : corrections.changes.totals) {
    if (++shown > differences_shown_max) return;
    fmt::print(out, "         {} {} {} {} {}: add {}\n", name_of(key.dimension), name_of(key.level), key.currency,
               key.key, to_string(key.bucket), to_json(measures));
  }
  for (const auto& [order, entries] : corrections.changes.customer_orders) {
    if (++shown > differences_shown_max) return;
    fmt::print(out, "         customer {}, order {}: add {}\n", order.customer_id, order.order_id, entries);
  }
}

std::optional<ReportCorrections> rebuild_reports(Storage& storage, const TenantId& tenant,
                                                 const RebuildProgress& progress, const JobFailures& failures) {
  std::optional<std::int64_t> rebuild;
  storage.write_now([&](Tx& tx) { rebuild = claim_rebuild(tx, tenant, now(), now() + claimed_for); });
  if (!rebuild) return std::nullopt;
  ReportCorrections corrections;
  storage.read_now([&](Tx& tx) { corrections = compare_reports(tx, tenant, progress, failures); });
  in_parts(corrections.changes, [&](const ReportChanges& part) {
    storage.write_now([&](Tx& tx) {
      if (!continue_rebuild(tx, tenant, *rebuild, now() + claimed_for)) {
        throw std::runtime_error("another process has begun to rebuild the same reports");
      }
      write_changes(tx, tenant, part);
    });
    progress.rows_written(part.rows(), corrections.differences());
  });
  storage.write_now([&](Tx& tx) { finish_rebuild(tx, tenant, *rebuild); });
  return corrections;
}

void build_missing_reports(Storage& storage, const JobFailures& failures) {
  std::optional<TenantId> tenant = TenantId();
  while (true) {
    storage.read_now([&, after = *tenant](Tx& tx) { tenant = tx.one(next_unbuilt_tenant(after)); });
    if (!tenant) return;
    failures.attempt({.tenant = tenant->text()}, [&] {
      if (const auto built = rebuild_reports(storage, *tenant, {}, failures)) {
        log::info("reports built", {{"tenant", tenant->text()}, {"orders", built->orders}});
      }
    });
  }
}

}  // namespace guildhall
