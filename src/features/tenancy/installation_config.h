#pragma once

#include <string>
#include <vector>

#include "base/config.h"
#include "base/ids.h"

namespace guildhall {

// The facts about this installation that all slices may use.
struct InstallationConfig {
  bool development = false;
  std::string public_base_url;
  std::string data_dir;
  TenantId default_tenant;
  std::vector<std::string> service_master_keys;  // the first seals, all open; empty: no secrets can be stored

  bool secure_cookies() const { return public_base_url.starts_with("https://"); }

  static std::vector<VariableOf<InstallationConfig>> variables();
};

// Rules that slices' variables must keep in production, where a guessable secret is worse than a server that does not
// start.

// A secret that is set must have the least number of characters.
ProductionRule secret_chars_min(std::size_t chars_min);

// The same for each secret of a comma-separated list.
ProductionRule each_secret_chars_min(std::size_t chars_min);

// A comma-separated list with at least one secret, each of which must have the least number of characters. `advice`
// says how to get one.
ProductionRule required_secrets(std::size_t chars_min, std::string_view advice);

}  // namespace guildhall
