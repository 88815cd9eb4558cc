-- Events: the outbox's lanes, the events that providers send us, and the endpoints that tenants have us call.

-- A lane is what may be slow or broken by itself: a topic, or one receiver of a topic. Lanes of a tenant are served in
-- turn, so that the messages of one never wait for another's.
ALTER TABLE outbox_messages ADD COLUMN lane text NOT NULL DEFAULT '';
UPDATE outbox_messages SET lane = topic;
DROP INDEX outbox_messages_due_idx;
-- The dispatchers' search: which lanes have something, and what is due in one of them.
CREATE INDEX outbox_messages_lane_idx ON outbox_messages (tenant_id, lane, due_at, id) WHERE status = 'PENDING';

CREATE TABLE webhook_events (
  id           text   NOT NULL,
  tenant_id    text   NOT NULL,
  provider     text   NOT NULL,
  event_id     text   NOT NULL,
  source       text   NOT NULL,
  status       text   NOT NULL,
  attempts     bigint NOT NULL,
  error        text,
  payload      text,                           -- as it was sent; null: erased, and only the key remains
  received_at  bigint NOT NULL,
  processed_at bigint,
  created_at   bigint NOT NULL,
  updated_at   bigint NOT NULL,
  version      bigint NOT NULL,
  CONSTRAINT webhook_events_pkey PRIMARY KEY (tenant_id, id)
);
-- What makes a redelivery a duplicate.
CREATE UNIQUE INDEX webhook_events_event_key ON webhook_events (tenant_id, source, provider, event_id);
CREATE INDEX webhook_events_created_idx ON webhook_events (tenant_id, created_at, id);
-- Retention looks for the oldest, of whatever tenant.
CREATE INDEX webhook_events_received_idx ON webhook_events (received_at);

CREATE TABLE webhook_endpoints (
  id             text    NOT NULL,
  tenant_id      text    NOT NULL,
  url            text    NOT NULL,
  description    text,
  events         text    NOT NULL,             -- a list of event names; empty: all
  enabled        boolean NOT NULL,
  disabled_at    bigint,
  disabled_reason text,
  failing_since  bigint,                       -- the first failure after the last success
  last_success_at bigint,
  last_failure_at bigint,
  secret         text    NOT NULL,             -- sealed
  previous_secret text,                        -- sealed; signs besides until then, so that a rotation loses nothing
  previous_secret_until bigint,
  created_at     bigint  NOT NULL,
  updated_at     bigint  NOT NULL,
  version        bigint  NOT NULL,
  CONSTRAINT webhook_endpoints_pkey PRIMARY KEY (tenant_id, id)
);
CREATE INDEX webhook_endpoints_created_idx ON webhook_endpoints (tenant_id, created_at, id);

-- The log of attempts. A message may have several.
CREATE TABLE webhook_deliveries (
  id          text   NOT NULL,
  tenant_id   text   NOT NULL,
  endpoint_id text   NOT NULL,
  message_id  text   NOT NULL,                 -- the receiver's webhook-id, the same for every attempt
  event       text   NOT NULL,
  attempt     bigint NOT NULL,
  outcome     text   NOT NULL,
  status_code bigint,
  duration_ms bigint NOT NULL,
  error       text,
  payload     text   NOT NULL,                 -- what was signed and sent, for a replay
  created_at  bigint NOT NULL,
  CONSTRAINT webhook_deliveries_pkey PRIMARY KEY (tenant_id, id)
);
CREATE INDEX webhook_deliveries_endpoint_idx ON webhook_deliveries (tenant_id, endpoint_id, created_at, id);
CREATE INDEX webhook_deliveries_created_idx ON webhook_deliveries (created_at);
