-- The currency and the time zone of a shop. Null: USD and UTC.
ALTER TABLE tenant_settings ADD COLUMN currency text;
ALTER TABLE tenant_settings ADD COLUMN time_zone text;

-- The server processes that use this database, each with the time of its last sign of life. They belong to the
-- installation, not to a tenant: tenant_id is empty in all rows.
CREATE TABLE nodes (
  tenant_id    text   NOT NULL,
  node_id      text   NOT NULL,
  host         text   NOT NULL,
  address      text   NOT NULL,
  version      text   NOT NULL,
  started_at   bigint NOT NULL,
  last_seen_at bigint NOT NULL,
  CONSTRAINT nodes_pkey PRIMARY KEY (tenant_id, node_id)
);
