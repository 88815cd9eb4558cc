#pragma once

#include <boost/describe.hpp>
#include <map>
#include <optional>
#include <string>

#include "base/instant.h"

namespace guildhall::sandbox {

// What a party does instead of answering properly. The last two carry the request out first.
enum class FaultKind { error, rateLimited, timeout, rubbish, dropped };
BOOST_DESCRIBE_ENUM(FaultKind, error, rateLimited, timeout, rubbish, dropped)

// Lasts for a number of calls or until a time.
struct Fault {
  FaultKind kind = FaultKind::error;
  std::optional<std::int64_t> calls_left{};
  std::optional<Instant> until{};
  std::int64_t retry_after_seconds = 1;
};

// The faults that are switched on, by party.
class Faults {
 public:
  void set(const std::string& party, const Fault& fault) { faults_[party] = fault; }
  void clear(const std::string& party) { faults_.erase(party); }

  // The party's fault; nothing if there is none any more.
  std::optional<Fault> find(const std::string& party, Instant now);

  // The same for one call, which it counts.
  std::optional<Fault> take(const std::string& party, Instant now);

 private:
  std::map<std::string, Fault> faults_;
};

}  // namespace guildhall::sandbox
