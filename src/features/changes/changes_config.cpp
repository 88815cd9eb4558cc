#include "features/changes/changes_config.h"

#include "base/config_values.h"

namespace guildhall {

std::vector<VariableOf<ChangesConfig>> ChangesConfig::variables() {
  return {
      {"CHANGE_STREAMS_MAX", "2000", &ChangesConfig::change_streams_max, integer(0, 100'000),
       "Streams of live changes that one process keeps open, at most half of its connections; further ones are "
       "answered with 503."},
      {"CHANGE_STREAMS_PER_TENANT", "200", &ChangesConfig::change_streams_per_tenant, integer(0, 100'000),
       "The same for one tenant; further ones are answered with 429."},
      {"CHANGE_HEARTBEAT_SECONDS", "15", &ChangesConfig::change_heartbeat_seconds, integer(1, 60),
       "How often a stream of live changes sends a heartbeat and checks its caller again, 1 to 60."},
  };
}

}  // namespace guildhall
