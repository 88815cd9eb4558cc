#include "app/findings.h"

#include <algorithm>
#include <fmt/ostream.h>

namespace guildhall {
namespace {

struct DoctorReport {
  bool ok = false;
  std::vector<Finding> findings;
};
BOOST_DESCRIBE_STRUCT(DoctorReport, (), (ok, findings))

}  // namespace

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

void Findings::print_json(std::ostream& out) const {
  out << to_json(DoctorReport{!has_problem(), all_}) << "\n";
}

}  // namespace guildhall
