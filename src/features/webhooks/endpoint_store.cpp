#include "features/webhooks/endpoint_store.h"

#include "storage/record_table.h"

namespace guildhall {
namespace {

const RecordTable<WebhookEndpoint> endpoint_table("webhook_endpoints");
const RecordTable<WebhookDelivery> delivery_table("webhook_deliveries");
constexpr std::chrono::minutes success_noted_every{1};

}  // namespace

Select<WebhookEndpoint> endpoint_by_id(const TenantId& tenant, const WebhookEndpointId& id) {
  return endpoint_table.by_id(tenant, id);
}

static const Sql after_sql(endpoint_table.select +
                           " WHERE tenant_id = $1 AND (created_at, id) < ($2, $3)"
                           " ORDER BY created_at DESC, id DESC LIMIT $4");

Select<WebhookEndpoint> endpoints_after(const TenantId& tenant, const Position& position, std::int64_t limit) {
  return {{&after_sql, params(tenant, position.created_at, position.id, limit)}, read_row<WebhookEndpoint>};
}

void insert_endpoint(Tx& tx, const WebhookEndpoint& endpoint) {
  tx.later(endpoint_table.insertion(endpoint));
}

static const Sql update_endpoint_sql(R"(
  UPDATE webhook_endpoints
  SET url = $4, description = $5, events = $6, secret = $7, previous_secret = $8, previous_secret_until = $9,
      updated_at = $10, failing_since = CASE WHEN enabled = $11 THEN failing_since ELSE NULL END,
      disabled_at = $12, disabled_reason = $13, enabled = $11, version = version + 1
  WHERE tenant_id = $1 AND id = $2 AND version = $3)");

void update_endpoint(Tx& tx, WebhookEndpoint& endpoint) {
  const auto changed =
      tx.run({&update_endpoint_sql,
              params(endpoint.tenant_id, endpoint.id, endpoint.version, endpoint.url, endpoint.description,
                     endpoint.events, endpoint.secret, endpoint.previous_secret, endpoint.previous_secret_until,
                     endpoint.updated_at, endpoint.enabled, endpoint.disabled_at, endpoint.disabled_reason)});
  if (changed == 0) throw WriteRace();
  ++endpoint.version.value;
}

void delete_endpoint(Tx& tx, const WebhookEndpoint& endpoint) {
  endpoint_table.erase(tx, endpoint);
}

// The endpoints that subscribe to the event $<event>, or to the group of events that the next parameter is. The pattern
// is not simply LIKE $<event>, because SQLite prepares a statement again for each value of a pattern that consists only
// of a parameter.
static std::string select_wanting(int event) {
  return fmt::format(R"(SELECT id FROM webhook_endpoints WHERE tenant_id = $1 AND enabled
    AND (events = '[]' OR events LIKE '%"*"%' OR events LIKE '%"' || CAST(${} AS text) || '"%'
         OR events LIKE '%"' || CAST(${} AS text) || '"%'))",
                     event, event + 1);
}
static const Sql wanted_sql(select_wanting(2) + " LIMIT 1");
static const Sql queue_sql(outbox::append_to_each_sql(select_wanting(7)));

bool is_wanted(Tx& tx, const TenantId& tenant, std::string_view event) {
  return tx.run({&wanted_sql, params(tenant, std::string(event), event_group(event))}) > 0;
}

void queue_for_endpoints(Tx& tx, const outbox::Message& message, const std::string& id, std::string_view event) {
  tx.later({&queue_sql, params(message.tenant, id, message.topic, message.payload, message.due,
                               outbox::current_traceparent(), std::string(event), event_group(event))});
}

// A successful delivery updates the endpoint's row at most once a minute.
static const Sql success_sql(R"(
  UPDATE webhook_endpoints SET failing_since = NULL, last_success_at = $3
  WHERE tenant_id = $1 AND id = $2 AND (failing_since IS NOT NULL OR last_success_at IS NULL OR last_success_at < $4))");

void note_success(Tx& tx, const TenantId& tenant, const WebhookEndpointId& id, Instant now) {
  tx.later({&success_sql, params(tenant, id, now, now - success_noted_every)});
}

static const Sql failure_sql(R"(
  UPDATE webhook_endpoints SET failing_since = coalesce(failing_since, $3), last_failure_at = $3
  WHERE tenant_id = $1 AND id = $2)");

void note_failure(Tx& tx, const TenantId& tenant, const WebhookEndpointId& id, Instant now) {
  tx.later({&failure_sql, params(tenant, id, now)});
}

static const Sql disable_sql(R"(
  UPDATE webhook_endpoints
  SET enabled = $6, disabled_at = $4, disabled_reason = $5, updated_at = $4, version = version + 1
  WHERE tenant_id = $1 AND id = $2 AND enabled AND failing_since <= $3)");

bool disable_if_failing(Tx& tx, const TenantId& tenant, const WebhookEndpointId& id, const std::string& reason,
                        Instant now) {
  return tx.run({&disable_sql, params(tenant, id, now - endpoint_failing_max, now, reason, false)}) == 1;
}

static const Sql delivery_by_id_sql(delivery_table.select + " WHERE tenant_id = $1 AND endpoint_id = $2 AND id = $3");

Select<WebhookDelivery> delivery_by_id(const TenantId& tenant, const WebhookEndpointId& endpoint,
                                       const WebhookDeliveryId& id) {
  return {{&delivery_by_id_sql, params(tenant, endpoint, id)}, read_row<WebhookDelivery>};
}

static const Sql deliveries_after_sql(delivery_table.select +
                                      " WHERE tenant_id = $1 AND endpoint_id = $2 AND (created_at, id) < ($3, $4)"
                                      " ORDER BY created_at DESC, id DESC LIMIT $5");

Select<WebhookDelivery> deliveries_after(const TenantId& tenant, const WebhookEndpointId& endpoint,
                                         const Position& position, std::int64_t limit) {
  return {{&deliveries_after_sql, params(tenant, endpoint, position.created_at, position.id, limit)},
          read_row<WebhookDelivery>};
}

void insert_delivery(Tx& tx, const WebhookDelivery& delivery) {
  tx.later(delivery_table.insertion(delivery));
}

static const Sql forget_deliveries_sql(R"(
  DELETE FROM webhook_deliveries WHERE (tenant_id, id) IN
    (SELECT tenant_id, id FROM webhook_deliveries WHERE created_at < $1 LIMIT $2))");

std::int64_t forget_deliveries(Tx& tx, Instant before, std::int64_t rows_max) {
  return tx.run({&forget_deliveries_sql, params(before, rows_max)});
}

}  // namespace guildhall
