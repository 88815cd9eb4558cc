// Rules for messages to buyers and for webhooks.
#include "app/ops/transfer/import_rules.h"
#include "app/slices.h"
#include "features/messages/alerts/alert.h"
#include "features/messages/message_settings.h"
#include "features/messages/message_store.h"
#include "features/webhooks/endpoint.h"
#include "features/webhooks/webhook_event.h"

namespace guildhall {
namespace {

constexpr std::size_t event_id_characters_max = 500;  // of NewWebhookEvent

// No provider has sent the event to this installation: it is kept for reading and never applied.
void adjust_event(WebhookEvent& event, const Importing&, Problems& problems) {
  if (characters_in(event.event_id) > event_id_characters_max) {
    problems.push_back({"event_id", fmt::format("must have at most {} characters", event_id_characters_max)});
  }
  event.source = WebhookSource::MANUAL;
  if (event.status != WebhookStatus::PROCESSED) event.status = WebhookStatus::IGNORED;
  event.verified_with.value = AccountOwner::TENANT;
}

void adjust_endpoint(WebhookEndpoint& endpoint, const Importing& importing, Problems&) {
  const EndpointRules rules{.targets = importing.options.development ? TargetRule::any : TargetRule::public_https,
                            .event_names = published_event_names()};
  endpoint_from(from_json<NewWebhookEndpoint>(to_json(endpoint)), importing.tenant, rules, importing.now);
}

void adjust_message_settings(MessageSettings& settings, const Importing&, Problems&) {
  apply(MessageSettingsPatch{}, settings);  // checks the number of languages
}

void adjust_alerts(AlertSettings& settings, const Importing& importing, Problems& problems) {
  if (settings.user_tenant_id.value != importing.tenant) {
    problems.push_back({"user_tenant_id", "must not be another tenant, whose users are not part of the export"});
  }
  apply(AlertSettingsPatch{}, settings);  // leaves one entry for each kind
}

}  // namespace

std::vector<ImportRule> outgoing_rules() {
  ImportRule endpoints = rule<WebhookEndpoint, NewWebhookEndpoint>("webhook_endpoints", adjust_endpoint);
  endpoints.rows_max = webhook_endpoints_max;
  ImportRule alerts = rule<AlertSettings, AlertSettingsPatch>("alert_settings", adjust_alerts);
  alerts.rows_max = alerted_people_max;
  return {
      rule<WebhookEvent>("webhook_events", adjust_event),
      std::move(endpoints),
      rule<WebhookDelivery>("webhook_deliveries"),
      rule<MessageSettings, MessageSettingsPatch>("message_settings", adjust_message_settings),
      rule<LoggedMessage>("message_log"),
      rule<MessageReceiver>("message_receivers"),
      std::move(alerts),
  };
}

}  // namespace guildhall
