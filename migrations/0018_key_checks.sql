-- A known text, sealed with the master key when the server first starts with one: whether it opens tells whether the key
-- is still the same. It belongs to the installation, not to a tenant: tenant_id is empty in all rows.
CREATE TABLE key_checks (
  tenant_id  text   NOT NULL,
  sealed     text   NOT NULL,
  created_at bigint NOT NULL,
  CONSTRAINT key_checks_pkey PRIMARY KEY (tenant_id)
);
