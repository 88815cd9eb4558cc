-- What every change leaves behind: a row of the audit trail, and work for the outbox.

CREATE TABLE audit_entries (
  id         text   NOT NULL,                  -- rises with time, so it also orders
  tenant_id  text   NOT NULL,
  at         bigint NOT NULL,
  actor_kind text   NOT NULL,
  actor_id   text   NOT NULL,
  request_id text   NOT NULL,
  subject    text   NOT NULL,
  subject_id text   NOT NULL,
  action     text   NOT NULL,
  changes    text   NOT NULL,
  sequence   bigint,                           -- place in the tenant's hash chain; null until it is sealed
  hash       text,
  CONSTRAINT audit_entries_pkey PRIMARY KEY (tenant_id, id)
);
-- The timeline of one record.
CREATE INDEX audit_entries_subject_idx ON audit_entries (tenant_id, subject, subject_id, id);
-- The chain, and the sealing job's search for what is not in it yet.
CREATE UNIQUE INDEX audit_entries_sequence_key ON audit_entries (tenant_id, sequence);
CREATE INDEX audit_entries_unsealed_idx ON audit_entries (tenant_id, id) WHERE sequence IS NULL;

CREATE TABLE outbox_messages (
  tenant_id     text   NOT NULL,
  id            text   NOT NULL,
  topic         text   NOT NULL,
  payload       text   NOT NULL,
  status        text   NOT NULL,               -- PENDING, DONE, DEAD
  attempts      bigint NOT NULL,
  due_at        bigint NOT NULL,
  claimed_until bigint,                        -- a dispatcher is at it until then
  last_error    text,
  created_at    bigint NOT NULL,
  finished_at   bigint,
  CONSTRAINT outbox_messages_pkey PRIMARY KEY (tenant_id, id)
);
-- The dispatchers' search: what is due, of whatever tenant.
CREATE INDEX outbox_messages_due_idx ON outbox_messages (due_at, id) WHERE status = 'PENDING';
-- The admin's list, and retention.
CREATE INDEX outbox_messages_status_idx ON outbox_messages (tenant_id, status, id);
CREATE INDEX outbox_messages_finished_idx ON outbox_messages (finished_at) WHERE finished_at IS NOT NULL;
