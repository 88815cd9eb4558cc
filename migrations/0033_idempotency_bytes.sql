-- The bytes of the large replies that are kept for Idempotency-Keys, by tenant and hour, so that a tenant's replies can be
-- limited without reading them.
CREATE TABLE idempotency_bytes (
  tenant_id text   NOT NULL,
  hour      bigint NOT NULL,                   -- its beginning
  bytes     bigint NOT NULL,
  CONSTRAINT idempotency_bytes_pkey PRIMARY KEY (tenant_id, hour)
);
-- Retention looks for the oldest, of whatever tenant.
CREATE INDEX idempotency_bytes_hour_idx ON idempotency_bytes (hour);
