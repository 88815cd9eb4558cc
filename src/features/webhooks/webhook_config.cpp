#include "features/webhooks/webhook_config.h"

#include "base/config_values.h"

namespace guildhall {
namespace {

std::string no_private_targets(std::string_view value) {
  const bool allowed = value == "true" || value == "1";
  return allowed ? "is only for development: tenants could reach this network's inside through it" : "";
}

}  // namespace

std::vector<VariableOf<WebhookConfig>> WebhookConfig::variables() {
  return {
      {"WEBHOOK_EVENT_RETENTION_DAYS", "90", &WebhookConfig::webhook_event_retention_days, integer(7, 3650),
       "How long providers' events are kept, and so their repetitions detected, 7 to 3650."},
      {"WEBHOOK_DELIVERY_RETENTION_DAYS", "30", &WebhookConfig::webhook_delivery_retention_days, integer(1, 3650),
       "How long the log of deliveries to tenants' endpoints is kept, 1 to 3650."},
      {"WEBHOOK_PRIVATE_TARGETS", "false", &WebhookConfig::webhook_private_targets, parse_bool,
       "Lets tenants' endpoints be on this machine or a private network, and without https; development only.",
       Exposure::plain, no_private_targets},
  };
}

}  // namespace guildhall
