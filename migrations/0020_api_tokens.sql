-- Programs sign in with tokens. Only a hash of a token's secret is stored.
CREATE TABLE api_tokens (
  id             text   NOT NULL,
  tenant_id      text   NOT NULL,
  name           text   NOT NULL,
  keys           text   NOT NULL,
  user_id        text   NOT NULL,
  user_tenant_id text   NOT NULL,
  user_epoch     bigint NOT NULL,
  secret_hash    text   NOT NULL,
  created_at     bigint NOT NULL,
  expires_at     bigint,
  last_used_at   bigint,
  CONSTRAINT api_tokens_pkey PRIMARY KEY (tenant_id, id)
);
CREATE INDEX api_tokens_created_idx ON api_tokens (tenant_id, created_at, id);
