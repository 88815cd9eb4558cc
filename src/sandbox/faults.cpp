#include "sandbox/faults.h"

#include "sandbox/party.h"

namespace guildhall::sandbox {

std::optional<Fault> Faults::find(const std::string& party, Instant now) {
  const auto found = faults_.find(party);
  if (found == faults_.end()) return std::nullopt;
  const Fault fault = found->second;
  const bool over = (fault.calls_left && *fault.calls_left <= 0) || (fault.until && *fault.until <= now);
  if (!over) return fault;
  faults_.erase(found);
  return std::nullopt;
}

std::optional<Fault> Faults::take(const std::string& party, const std::vector<std::string>& parts, Instant now) {
  auto fault = find(party, now);
  if (!fault || (!fault->path.empty() && !fits(parts, fault->path))) return std::nullopt;
  if (fault->calls_left) --*faults_[party].calls_left;
  return fault;
}

}  // namespace guildhall::sandbox
