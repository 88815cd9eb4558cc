#include "features/slice.h"

#include "features/reports/report_fold.h"
#include "features/reports/report_rebuild.h"
#include "features/reports/routes.h"

namespace guildhall {
namespace {

constexpr std::chrono::seconds folding_pause{2};  // entries that are not folded yet make a report slower

void fold_reports(const JobFailures& failures, Storage& storage) {
  fold_all_entries(storage, failures);
  build_missing_reports(storage, failures);
}

}  // namespace

Slice reports_slice() {
  return Slice("reports")
      .table({.name = "report_entries", .other = "facts"})
      .table({.name = "report_totals", .other = "dimension level currency key"})
      .table({.name = "report_customer_orders", .other = "currency customer_id order_id", .grows = true})
      .table({.name = "report_paid_with", .other = "order_id provider", .grows = true})
      .table({.name = "report_states"})
      .routes(report_routes)
      .subscribes(subscribe_reports, Slice::Turn::reads)
      .job("reports", folding_pause, fold_reports);
}

}  // namespace guildhall
