#pragma once

#include <cstdint>
#include <vector>

#include "base/config.h"

namespace guildhall {

// The configuration of incoming webhooks and of tenants' webhook endpoints.
struct WebhookConfig {
  std::int64_t webhook_event_retention_days = 0;
  std::int64_t webhook_delivery_retention_days = 0;
  bool webhook_private_targets = false;

  static std::vector<VariableOf<WebhookConfig>> variables();
};

}  // namespace guildhall
