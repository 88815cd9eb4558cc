#pragma once

#include "app/ops/progress.h"
#include "features/reports/report_rebuild.h"

namespace guildhall {

// Shows the progress of rebuilding the reports of some tenants: of reading their paid orders, and for each tenant of
// writing the totals that differ.
class ShownRebuild {
 public:
  explicit ShownRebuild(std::int64_t orders) : reading_("reading paid orders", orders, Progress::Unit::orders) {}

  // Valid until the next call.
  RebuildProgress of_tenant() {
    writing_.reset();
    return {.orders_read = [this](std::int64_t orders) { reading_.add(orders); },
            .rows_written =
                [this](std::int64_t rows, std::int64_t total) {
                  if (!writing_) writing_.emplace("writing totals", total);
                  writing_->add(rows);
                }};
  }

  // Before something else is printed.
  void clear() {
    reading_.clear();
    if (writing_) writing_->clear();
  }

 private:
  Progress reading_;
  std::optional<Progress> writing_;
};

}  // namespace guildhall
