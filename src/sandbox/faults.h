#pragma once

#include <boost/describe.hpp>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/instant.h"

namespace guildhall::sandbox {

// A fault: a party does this instead of answering properly. `rubbish`, `dropped` and `held` carry the request out
// first. The reply of a `held` call is sent when the fault is over. `answer` is a reply that the caller of the sandbox
// chooses.
enum class FaultKind { error, rateLimited, timeout, rubbish, dropped, held, answer };
BOOST_DESCRIBE_ENUM(FaultKind, error, rateLimited, timeout, rubbish, dropped, held, answer)

// Lasts for a number of calls or until a time. Without both it lasts until it is cleared.
struct Fault {
  FaultKind kind = FaultKind::error;
  std::string path{};  // only calls with this path below the party's, where `*` stands for any part; empty: all calls
  std::optional<std::int64_t> calls_left{};
  std::optional<Instant> until{};
  std::int64_t retry_after_seconds = 1;

  // Of the kind `answer`.
  int status = 200;
  std::string body{};
  std::vector<std::pair<std::string_view, std::string>> headers{};  // names are constants
};

// The faults that are switched on, by party.
class Faults {
 public:
  void set(const std::string& party, const Fault& fault) { faults_[party] = fault; }
  void clear(const std::string& party) { faults_.erase(party); }

  // The party's fault; nothing if there is none any more.
  std::optional<Fault> find(const std::string& party, Instant now);

  // The same for one call, which it counts. `parts` are those of the path below the party's.
  std::optional<Fault> take(const std::string& party, const std::vector<std::string>& parts, Instant now);

 private:
  std::map<std::string, Fault> faults_;
};

}  // namespace guildhall::sandbox
