#include "app/process_config.h"

#include "base/config_values.h"

namespace guildhall {
namespace {

std::optional<Address> parse_metrics_address(std::string_view text) {
  return text == "off" ? std::nullopt : std::optional(parse_address(text));
}

log::Level parse_log_level(std::string_view text) {
  if (text == "debug") return log::Level::debug;
  if (text == "info") return log::Level::info;
  if (text == "warn") return log::Level::warn;
  if (text == "error") return log::Level::error;
  throw std::invalid_argument("must be debug, info, warn or error");
}

}  // namespace

std::vector<VariableOf<ProcessConfig>> ProcessConfig::variables() {
  return {
      {"METRICS_ADDR", "127.0.0.1:9464", &ProcessConfig::metrics, parse_metrics_address,
       "Where `/metrics` listens; `off` for nowhere."},
      {"LOOPS", "0", &ProcessConfig::loops, integer(0, 256),
       "Event loops (threads that serve requests); 0: one per core."},
      {"DRAIN_SECONDS", "0", &ProcessConfig::drain_seconds, integer(0, 300),
       "After SIGTERM `/readyz` is 503 for this long while requests are still served, 0 to 300."},
      {"LOG_LEVEL", "info", &ProcessConfig::log_level, parse_log_level, "`debug`, `info`, `warn` or `error`."},
  };
}

}  // namespace guildhall
