-- Identity: who people are at the providers they sign in with, how a tenant's provider is configured, and the heads of
-- the audit trail's hash chains.

-- Counted up to end all of a user's sessions: those that were started at a lower number are over.
ALTER TABLE users ADD COLUMN session_epoch bigint NOT NULL DEFAULT 0;
CREATE INDEX users_created_idx ON users (tenant_id, created_at, id);
CREATE INDEX users_id_idx ON users (id);       -- a PlatformAdmin's search, of whatever tenant

-- A deleted tenant keeps its row, so that nobody gets its id, and what lies under it, by making it again.
ALTER TABLE tenants ADD COLUMN deleted_at bigint;
CREATE INDEX tenants_created_idx ON tenants (created_at, tenant_id);

-- All grants of one user, wherever.
CREATE INDEX grants_user_idx ON grants (user_id, tenant_id);

-- Never matched by email: who owns an address at one provider need not be who owns it at another.
CREATE TABLE identities (
  tenant_id        text   NOT NULL,
  provider         text   NOT NULL,
  provider_user_id text   NOT NULL,
  user_id          text   NOT NULL,
  created_at       bigint NOT NULL,
  CONSTRAINT identities_pkey PRIMARY KEY (tenant_id, provider, provider_user_id)
);
CREATE INDEX identities_user_idx ON identities (tenant_id, user_id);

CREATE TABLE auth_providers (
  tenant_id     text   NOT NULL,
  provider      text   NOT NULL,
  client_id     text   NOT NULL,
  client_secret text,                          -- sealed with a key derived from SERVICE_MASTER_KEY
  redirect_uri  text,
  scopes        text   NOT NULL,
  created_at    bigint NOT NULL,
  updated_at    bigint NOT NULL,
  version       bigint NOT NULL,
  CONSTRAINT auth_providers_pkey PRIMARY KEY (tenant_id, provider)
);

-- The last link of each tenant's chain: the guard against two nodes sealing at once, and against a cut tail.
CREATE TABLE audit_chains (
  tenant_id text   NOT NULL,
  sequence  bigint NOT NULL,
  hash      text   NOT NULL,
  CONSTRAINT audit_chains_pkey PRIMARY KEY (tenant_id)
);
-- The trail's list: newest first.
CREATE INDEX audit_entries_at_idx ON audit_entries (tenant_id, at, id);
