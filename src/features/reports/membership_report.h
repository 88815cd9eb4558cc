#pragma once

#include "features/memberships/membership.h"
#include "features/reports/reports.h"

namespace guildhall {

// Adds the facts to the rows of the period, and computes the members at its beginning from those of now: `facts` also
// has those after the period. Pure: no clock, no database.
void add_memberships(MembershipsReport& report, const ReportPeriod& period, const std::vector<MembershipFact>& facts);

}  // namespace guildhall
