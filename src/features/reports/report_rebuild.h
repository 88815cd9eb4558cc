#pragma once

#include <functional>
#include <iosfwd>
#include <optional>

#include "base/job_failures.h"
#include "features/reports/report_facts.h"
#include "storage/storage.h"

// Recomputes the totals of reports from orders, refunds and the fund's ledger.
namespace guildhall {

// The amounts to add to the stored rows of a tenant so that they are correct once all entries have been folded.
// Empty maps: they are correct. Corrections are added and nothing is replaced, so they stay valid while a server folds.
struct ReportCorrections {
  ReportChanges changes;
  std::int64_t orders = 0, refunds = 0;  // that were read
  bool is_built = true;                  // false: the totals were never built

  // Reports that were never built are not wrong.
  bool is_correct() const { return differences() == 0 || !is_built; }
  std::int64_t differences() const { return changes.rows(); }
};

// Called while reports are rebuilt, to show the progress.
struct RebuildProgress {
  std::function<void(std::int64_t orders)> orders_read = [](std::int64_t) {};
  std::function<void(std::int64_t rows, std::int64_t total)> rows_written = [](std::int64_t, std::int64_t) {};
};

// Reads everything on one snapshot. Memory grows with the number of totals and customers.
// Orders and refunds that cannot be decoded are skipped.
ReportCorrections compare_reports(Tx& tx, const TenantId& tenant, const RebuildProgress& progress = {},
                                  const JobFailures& failures = {});

// Prints a line, and some of the differences.
void print(std::ostream& out, const TenantId& tenant, const ReportCorrections& corrections);

// Compares and corrects one tenant, in small transactions; a server may run meanwhile. Returns nothing if another
// process is rebuilding the tenant's reports.
std::optional<ReportCorrections> rebuild_reports(Storage& storage, const TenantId& tenant,
                                                 const RebuildProgress& progress = {},
                                                 const JobFailures& failures = {});

// Builds the reports of tenants whose orders are older than the reports, or that were imported. A tenant that fails
// does not stop the others. Any number of nodes may run it.
void build_missing_reports(Storage& storage, const JobFailures& failures = {});

}  // namespace guildhall
