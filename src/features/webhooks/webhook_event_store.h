#pragma once

#include "api/page.h"
#include "features/webhooks/webhook_event.h"
#include "storage/database.h"

// All SQL of webhook events.
namespace guildhall {

// Which of the tenant's events are seen: a PlatformAdmin sees all, everybody else those that are the tenant's for sure.
enum class EventView { tenant, platform };

Select<WebhookEvent> webhook_event_by_id(const TenantId& tenant, const WebhookEventId& id, EventView view);
Select<WebhookEvent> webhook_events_after(const TenantId& tenant, const Position& position, std::int64_t limit,
                                          EventView view);

// False if the tenant has an event of that source, provider and event id already.
bool insert_webhook_event(Tx& tx, const WebhookEvent& event);

// Inserts a provider's event, or takes up the stored one if applying it has failed or it waits. Counts the attempt and
// keeps everybody else away from the event until the transaction ends. Nothing: it is a duplicate.
std::optional<WebhookEventId> take_webhook_event(Tx& tx, const WebhookEvent& fresh);

// The same for a stored event.
std::optional<WebhookEvent> take_webhook_event(Tx& tx, const TenantId& tenant, const WebhookEventId& id, Instant now);

void finish_webhook_event(Tx& tx, const TenantId& tenant, const WebhookEventId& id, WebhookStatus status, Instant now);

// Keeps what went wrong. Nothing if somebody else has applied the event meanwhile; otherwise whether this is its first
// failure, and its id.
struct KeptFailure {
  WebhookEventId id;
  bool first;
};
std::optional<KeptFailure> keep_webhook_failure(Tx& tx, const WebhookEvent& failed);

// The same for a stored event.
void fail_webhook_event(Tx& tx, const TenantId& tenant, const WebhookEventId& id, const std::string& error,
                        Instant now);

// Writes the record over the version it was read at, counting the version up. Throws WriteRace if it has changed.
void update_webhook_event(Tx& tx, WebhookEvent& event);

// Deletes up to `rows_max` events received before that; returns how many.
std::int64_t forget_webhook_events(Tx& tx, Instant before, std::int64_t rows_max);

}  // namespace guildhall
