-- The number of times that a tenant has opened codes. Whoever opens codes locks the row, so that the limit of open codes holds.
CREATE TABLE membership_code_batches (
  tenant_id text   NOT NULL,
  number    bigint NOT NULL,
  CONSTRAINT membership_code_batches_pkey PRIMARY KEY (tenant_id)
);
