#pragma once

#include "api/page.h"
#include "features/webhooks/endpoint.h"
#include "outbox/outbox.h"
#include "storage/database.h"

// All SQL of webhook endpoints and their log of deliveries.
namespace guildhall {

Select<WebhookEndpoint> endpoint_by_id(const TenantId& tenant, const WebhookEndpointId& id);
Select<WebhookEndpoint> endpoints_after(const TenantId& tenant, const Position& position, std::int64_t limit);

void insert_endpoint(Tx& tx, const WebhookEndpoint& endpoint);

// Writes the record over the version it was read at, counting the version up. Throws WriteRace if it has changed.
// What deliveries have noted meanwhile stands, unless the endpoint is being switched on or off.
void update_endpoint(Tx& tx, WebhookEndpoint& endpoint);
void delete_endpoint(Tx& tx, const WebhookEndpoint& endpoint);

// Whether an endpoint is enabled and has asked for the event or for all.
bool is_wanted(Tx& tx, const TenantId& tenant, std::string_view event);

// Puts the message into the outbox once for each such endpoint.
void queue_for_endpoints(Tx& tx, const outbox::Message& message, const std::string& id, std::string_view event);

// Notes what deliveries meet; these leave the version alone.
void note_success(Tx& tx, const TenantId& tenant, const WebhookEndpointId& id, Instant now);
void note_failure(Tx& tx, const TenantId& tenant, const WebhookEndpointId& id, Instant now);

// Switches the endpoint off if it has done nothing but fail for too long. True if this call did.
bool disable_if_failing(Tx& tx, const TenantId& tenant, const WebhookEndpointId& id, const std::string& reason,
                        Instant now);

Select<WebhookDelivery> delivery_by_id(const TenantId& tenant, const WebhookEndpointId& endpoint,
                                       const WebhookDeliveryId& id);
Select<WebhookDelivery> deliveries_after(const TenantId& tenant, const WebhookEndpointId& endpoint,
                                         const Position& position, std::int64_t limit);
void insert_delivery(Tx& tx, const WebhookDelivery& delivery);

// Deletes up to `rows_max` entries of the log older than that; returns how many.
std::int64_t forget_deliveries(Tx& tx, Instant before, std::int64_t rows_max);

}  // namespace guildhall
