#include "features/webhooks/webhook_event.h"

namespace guildhall {

WebhookEvent manual_event_from(const NewWebhookEvent& input, const TenantId& tenant, Instant now) {
  return {.id = WebhookEventId::make(now),
          .tenant_id = tenant,
          .provider = input.provider,
          .event_id = input.event_id,
          .source = WebhookSource::MANUAL,
          .status = WebhookStatus::IGNORED,
          .attempts = 0,
          .error = std::nullopt,
          .payload = input.payload,
          .received_at = input.received_at.value_or(now),
          .processed_at = std::nullopt,
          .created_at = now,
          .updated_at = now,
          .version = {1}};
}

void queue_again(WebhookEvent& event, const WebhookEventPatch& patch) {
  if (patch.status != WebhookStatus::RECEIVED) throw invalid_field("status", "can only be set to RECEIVED");
  if (event.source == WebhookSource::MANUAL) {
    throw bad_request("EVENT_NOT_REPEATABLE", "An event that was recorded by hand is never processed.");
  }
  if (!event.payload) {
    throw bad_request("EVENT_NOT_REPEATABLE", "The event's payload has been erased, so it cannot be processed again.");
  }
  event.status = WebhookStatus::RECEIVED;
}

}  // namespace guildhall
