#include "outbox/outbox_config.h"

#include "base/config_values.h"

namespace guildhall::outbox {

std::vector<VariableOf<OutboxConfig>> OutboxConfig::variables() {
  return {
      {"OUTBOX_THREADS", "16", &OutboxConfig::outbox_threads, integer(0, 256),
       "Deliveries that a node makes at the same time, 0 to 256; 0: it delivers nothing."},
      {"OUTBOX_LEASE_SECONDS", "60", &OutboxConfig::outbox_lease_seconds, integer(30, 3600),
       "The deliveries of a node that died are taken over by another after this: 30 to 3600."},
      {"OUTBOX_RETENTION_DAYS", "7", &OutboxConfig::outbox_retention_days, integer(1, 3650),
       "How long delivered messages are kept, 1 to 3650."},
      {"OUTBOX_DEAD_RETENTION_DAYS", "90", &OutboxConfig::outbox_dead_retention_days, integer(1, 3650),
       "How long dead messages are kept, 1 to 3650."},
  };
}

}  // namespace guildhall::outbox
