-- The origins whose pages may call the API with a token of the tenant. The list is a setting; the table is derived from it,
-- because a browser's preflight names no tenant.
ALTER TABLE tenant_settings ADD COLUMN allowed_origins text NOT NULL DEFAULT '[]';
CREATE TABLE tenant_origins (
  tenant_id text NOT NULL,
  origin    text NOT NULL,
  CONSTRAINT tenant_origins_pkey PRIMARY KEY (tenant_id, origin)
);
CREATE INDEX tenant_origins_origin_idx ON tenant_origins (origin);
