#pragma once

#include "base/job_failures.h"
#include "features/reports/report_facts.h"
#include "outbox/events.h"
#include "storage/storage.h"

// How the totals of reports are kept. docs/adr/0009 explains why entries are appended first and folded later.
namespace guildhall {

// Subscribes the reports to the events of orders and refunds: each appends its facts in the transaction of its cause.
void subscribe_reports(Events& events);

constexpr std::int64_t entries_a_fold = 100;  // so that SQLite's only writer is not occupied for long

// Adds some entries of the tenant, and some entries of its fund's ledger, to the totals. Returns false if none was
// left.
//
// Entries are derived from orders and refunds: one that cannot be decoded is dropped, and the reports of the tenant are
// built again.
bool fold_entries(Tx& tx, const TenantId& tenant, const JobFailures& failures = {});

// Whether the tenant has entries that are not part of the totals yet.
bool has_unfolded_entries(Tx& tx, const TenantId& tenant);

// Folds the entries of all tenants. One whose entries cannot be folded does not stop the others. Any number of nodes
// may run it.
void fold_all_entries(Storage& storage, const JobFailures& failures = {});

// Adds the changes to the stored rows.
void write_changes(Tx& tx, const TenantId& tenant, ReportChanges changes);

}  // namespace guildhall
