#include "features/operations/findings.h"

#include <algorithm>
#include <fmt/ostream.h>

namespace guildhall {

void Findings::append(Findings others) {
  std::move(others.all_.begin(), others.all_.end(), std::back_inserter(all_));
}

bool Findings::has_problem() const {
  return std::any_of(all_.begin(), all_.end(), [](const Finding& each) { return each.level == Severity::problem; });
}

void Findings::print(std::ostream& out) const {
  for (const Finding& each : all_) {
    const std::string_view label = each.level == Severity::problem ? "PROBLEM" : name_of(each.level);
    fmt::print(out, "{:<8} {}: {}\n", label, each.check, each.message);
    if (!each.advice.empty()) fmt::print(out, "         {}\n", each.advice);
  }
}

}  // namespace guildhall
