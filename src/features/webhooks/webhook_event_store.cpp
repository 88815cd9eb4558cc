#include "features/webhooks/webhook_event_store.h"

#include "storage/record_table.h"

namespace guildhall {
namespace {

const RecordTable<WebhookEvent> event_table("webhook_events",
                                            {.on_conflict = "(tenant_id, source, provider, event_id) DO NOTHING"});
const std::string insert_event = insert_into<WebhookEvent>("webhook_events");

}  // namespace

static const Sql shown_by_id_sql(event_table.select + " WHERE tenant_id = $1 AND id = $2 AND NOT platform_only");

Select<WebhookEvent> webhook_event_by_id(const TenantId& tenant, const WebhookEventId& id, EventView view) {
  if (view == EventView::platform) return event_table.by_id(tenant, id);
  return {{&shown_by_id_sql, params(tenant, id)}, read_row<WebhookEvent>};
}

static ListShape list_shape(std::string condition) {
  return {.table = "webhook_events",
          .columns = columns<WebhookEvent>(),
          .condition = std::move(condition),
          .paths = {{.filter = "status", .condition = "status = :status_1"}}};
}

static const Listing all_events = Listing::of<WebhookEventQuery>(list_shape("true"));
static const Listing shown_events = Listing::of<WebhookEventQuery>(list_shape("NOT platform_only"));

const Listing& webhook_event_listing(EventView view) {
  return view == EventView::platform ? all_events : shown_events;
}

bool insert_webhook_event(Tx& tx, const WebhookEvent& event) {
  return event_table.insert(tx, event);
}

// A concurrent delivery of the same event waits here until the first transaction has ended, and then reads its result.
static const Sql take_new_sql(insert_event + R"(
  ON CONFLICT (tenant_id, source, provider, event_id) DO UPDATE
    SET attempts = webhook_events.attempts + 1, updated_at = excluded.updated_at, version = webhook_events.version + 1
    WHERE webhook_events.status IN ('FAILED', 'RECEIVED') AND webhook_events.payload IS NOT NULL
  RETURNING id)");

std::optional<WebhookEventId> take_webhook_event(Tx& tx, const WebhookEvent& fresh) {
  std::optional<WebhookEventId> taken;
  tx.run({&take_new_sql, values_of(fresh)}, [&](const Row& row) { taken.emplace(row.text(0)); });
  return taken;
}

static const Sql take_stored_sql(
    "UPDATE webhook_events SET attempts = attempts + 1, updated_at = $3, version = version + 1"
    " WHERE tenant_id = $1 AND id = $2 AND source <> 'MANUAL' AND status IN ('FAILED', 'RECEIVED')"
    " AND payload IS NOT NULL RETURNING " +
    columns<WebhookEvent>());

std::optional<WebhookEvent> take_webhook_event(Tx& tx, const TenantId& tenant, const WebhookEventId& id, Instant now) {
  return tx.one(Select<WebhookEvent>{{&take_stored_sql, params(tenant, id, now)}, read_row<WebhookEvent>});
}

static const Sql finish_sql(
    "UPDATE webhook_events SET status = $3, error = NULL, processed_at = $4, updated_at = $4"
    " WHERE tenant_id = $1 AND id = $2");

void finish_webhook_event(Tx& tx, const TenantId& tenant, const WebhookEventId& id, WebhookStatus status, Instant now) {
  tx.later({&finish_sql, params(tenant, id, status, now)});
}

static const Sql keep_failure_sql(insert_event + R"(
  ON CONFLICT (tenant_id, source, provider, event_id) DO UPDATE
    SET attempts = webhook_events.attempts + 1, status = 'FAILED', error = excluded.error,
        updated_at = excluded.updated_at, version = webhook_events.version + 1
    WHERE webhook_events.status IN ('FAILED', 'RECEIVED') AND webhook_events.payload IS NOT NULL
  RETURNING id, attempts)");

std::optional<KeptFailure> keep_webhook_failure(Tx& tx, const WebhookEvent& failed) {
  std::optional<KeptFailure> kept;
  tx.run({&keep_failure_sql, values_of(failed)}, [&](const Row& row) {
    kept = {WebhookEventId(row.text(0)), row.integer(1) == 1};
  });
  return kept;
}

static const Sql fail_sql(
    "UPDATE webhook_events SET attempts = attempts + 1, status = 'FAILED', error = $3, updated_at = $4,"
    " version = version + 1 WHERE tenant_id = $1 AND id = $2 AND status IN ('FAILED', 'RECEIVED')");

void fail_webhook_event(Tx& tx, const TenantId& tenant, const WebhookEventId& id, const std::string& error,
                        Instant now) {
  tx.later({&fail_sql, params(tenant, id, error, now)});
}

void update_webhook_event(Tx& tx, WebhookEvent& event) {
  event_table.update(tx, event);
}

static const Sql forget_event_sql(R"(
  DELETE FROM webhook_events WHERE (tenant_id, id) IN
    (SELECT tenant_id, id FROM webhook_events WHERE received_at < $1 LIMIT $2))");

std::int64_t forget_webhook_events(Tx& tx, Instant before, std::int64_t rows_max) {
  return tx.run({&forget_event_sql, params(before, rows_max)});
}

}  // namespace guildhall
