#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/address.h"
#include "base/config.h"
#include "base/log.h"

namespace guildhall {

// The configuration of the server process.
struct ProcessConfig {
  std::optional<Address> metrics;  // nothing: metrics are not served
  bool metrics_required = false;   // METRICS_ADDR was given, so failing to listen there stops the start
  std::int64_t loops = 0;          // 0: one per core
  std::int64_t drain_seconds = 0;
  log::Level log_level = log::Level::info;

  static std::vector<VariableOf<ProcessConfig>> variables();
};

}  // namespace guildhall
