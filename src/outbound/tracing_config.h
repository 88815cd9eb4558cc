#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/config.h"

namespace guildhall::outbound {

// The configuration of tracing.
struct TracingConfig {
  std::string otlp_endpoint;  // empty: spans are not exported
  std::vector<std::pair<std::string, std::string>> otlp_headers;
  std::optional<double> trace_requests = 1;  // the share of the requests without a trace that begin one

  static std::vector<VariableOf<TracingConfig>> variables();
};

}  // namespace guildhall::outbound
