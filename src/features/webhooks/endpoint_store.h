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

// Updates the record and increments its version. Throws WriteRace if it was changed since it was read.
// The results of deliveries are kept, unless the endpoint is being switched on or off.
void update_endpoint(Tx& tx, WebhookEndpoint& endpoint);
void delete_endpoint(Tx& tx, const WebhookEndpoint& endpoint);

// Whether the tenant has an enabled endpoint that subscribes to the event, or to all events.
bool is_wanted(Tx& tx, const TenantId& tenant, std::string_view event);

// Queues an outbox message for each such endpoint.
void queue_for_endpoints(Tx& tx, const outbox::Message& message, const std::string& id, std::string_view event);

// Record the result of a delivery. They do not change the endpoint's version.
void note_success(Tx& tx, const TenantId& tenant, const WebhookEndpointId& id, Instant now);
void note_failure(Tx& tx, const TenantId& tenant, const WebhookEndpointId& id, Instant now);

// Switches the endpoint off if all deliveries have failed for too long. Returns true if this call did so.
bool disable_if_failing(Tx& tx, const TenantId& tenant, const WebhookEndpointId& id, const std::string& reason,
                        Instant now);

Select<WebhookDelivery> delivery_by_id(const TenantId& tenant, const WebhookEndpointId& endpoint,
                                       const WebhookDeliveryId& id);
Select<WebhookDelivery> deliveries_after(const TenantId& tenant, const WebhookEndpointId& endpoint,
                                         const Position& position, std::int64_t limit);
void insert_delivery(Tx& tx, const WebhookDelivery& delivery);

// Deletes up to `rows_max` older entries of the log. Returns how many were deleted.
std::int64_t forget_deliveries(Tx& tx, Instant before, std::int64_t rows_max);

}  // namespace guildhall
