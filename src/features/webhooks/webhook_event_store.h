#pragma once

#include "api/list.h"
#include "features/webhooks/webhook_event.h"
#include "storage/database.h"

// All SQL of webhook events.
namespace guildhall {

// Which of the tenant's events are shown: all to a PlatformAdmin, and to others only those that are certainly the
// tenant's.
enum class EventView { tenant, platform };

Select<WebhookEvent> webhook_event_by_id(const TenantId& tenant, const WebhookEventId& id, EventView view);

struct WebhookEventQuery : api::ListParams {
  OneOf<WebhookProvider, "Events of one of these providers."> provider;
  OneOf<WebhookStatus, "Events in one of these statuses."> status;
  OneOf<WebhookSource, "Events that a provider has sent, or that were recorded by hand."> source;
  Search<"LOWER(event_id)", "A part of the provider's event id, in any case."> search;
  From<Instant, "created_at", "Stored at this time or later."> created_from;
  To<Instant, "created_at", "Stored at this time or earlier."> created_to;
  SortBy<"createdAt"> sort;
};
BOOST_DESCRIBE_STRUCT(WebhookEventQuery, (api::ListParams),
                      (provider, status, source, search, created_from, created_to, sort))

const Listing& webhook_event_listing(EventView view);

// Returns false if the tenant already has an event with that source, provider and event id.
bool insert_webhook_event(Tx& tx, const WebhookEvent& event);

// Inserts a provider's event, or finds the stored one if it failed or has not been applied. Counts the attempt, and
// locks the event until the transaction ends. Nothing if the event is a duplicate.
std::optional<WebhookEventId> take_webhook_event(Tx& tx, const WebhookEvent& fresh);

// The same for a stored event.
std::optional<WebhookEvent> take_webhook_event(Tx& tx, const TenantId& tenant, const WebhookEventId& id, Instant now);

void finish_webhook_event(Tx& tx, const TenantId& tenant, const WebhookEventId& id, WebhookStatus status, Instant now);

// Stores the error. Returns nothing if another transaction has applied the event meanwhile, otherwise its id and
// whether this is its first failure.
struct KeptFailure {
  WebhookEventId id;
  bool first;
};
std::optional<KeptFailure> keep_webhook_failure(Tx& tx, const WebhookEvent& failed);

// The same for a stored event.
void fail_webhook_event(Tx& tx, const TenantId& tenant, const WebhookEventId& id, const std::string& error,
                        Instant now);

// Updates the record and increments its version. Throws WriteRace if it was changed since it was read.
void update_webhook_event(Tx& tx, WebhookEvent& event);

// Deletes up to `rows_max` events that were received before that time. Returns how many were deleted.
std::int64_t forget_webhook_events(Tx& tx, Instant before, std::int64_t rows_max);

}  // namespace guildhall
