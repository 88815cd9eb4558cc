-- Roles of a tenant, invitations, links that reset a password, and second factors.

-- A role is a named set of permission keys. A grant whose key is the name of a role implies the keys of the role.
CREATE TABLE roles (
  tenant_id   text   NOT NULL,
  name        text   NOT NULL,
  description text,
  keys        text   NOT NULL,
  created_at  bigint NOT NULL,
  updated_at  bigint NOT NULL,
  version     bigint NOT NULL,
  CONSTRAINT roles_pkey PRIMARY KEY (tenant_id, name)
);

-- The same keys, one row each, so that reading a user's grants can join them.
CREATE TABLE role_keys (
  tenant_id text NOT NULL,
  role      text NOT NULL,
  key       text NOT NULL,
  CONSTRAINT role_keys_pkey PRIMARY KEY (tenant_id, role, key)
);

-- The holders of a key.
CREATE INDEX grants_key_idx ON grants (tenant_id, key, user_id);

-- Only a hash of a link's secret is stored. Accepting or revoking an invitation deletes its row.
CREATE TABLE invitations (
  id                  text    NOT NULL,
  tenant_id           text    NOT NULL,
  name                text,
  email               text,
  keys                text    NOT NULL,
  user_id             text    NOT NULL,
  user_tenant_id      text    NOT NULL,
  through_application boolean NOT NULL,
  secret_hash         text    NOT NULL,
  created_at          bigint  NOT NULL,
  expires_at          bigint  NOT NULL,
  CONSTRAINT invitations_pkey PRIMARY KEY (tenant_id, id)
);
CREATE INDEX invitations_created_idx ON invitations (tenant_id, created_at, id);

-- One link for each user: a new one replaces the old one.
CREATE TABLE password_resets (
  tenant_id           text    NOT NULL,
  user_id             text    NOT NULL,
  user_epoch          bigint  NOT NULL,
  maker_id            text    NOT NULL,
  maker_tenant_id     text    NOT NULL,
  through_application boolean NOT NULL,
  secret_hash         text    NOT NULL,
  created_at          bigint  NOT NULL,
  expires_at          bigint  NOT NULL,
  CONSTRAINT password_resets_pkey PRIMARY KEY (tenant_id, user_id)
);

CREATE TABLE second_factors (
  tenant_id      text   NOT NULL,
  user_id        text   NOT NULL,
  sealed_secret  text   NOT NULL,              -- sealed with a key derived from SERVICE_MASTER_KEY
  confirmed_at   bigint,                       -- null: the user has not shown a code yet
  last_step      bigint NOT NULL,              -- the time step of the last code that was used
  failures       bigint NOT NULL,              -- wrong codes since failures_since
  failures_since bigint NOT NULL,
  created_at     bigint NOT NULL,
  CONSTRAINT second_factors_pkey PRIMARY KEY (tenant_id, user_id)
);

CREATE TABLE recovery_codes (
  tenant_id text NOT NULL,
  user_id   text NOT NULL,
  code_hash text NOT NULL,
  CONSTRAINT recovery_codes_pkey PRIMARY KEY (tenant_id, user_id, code_hash)
);

ALTER TABLE tenant_settings ADD COLUMN require_second_factor boolean NOT NULL DEFAULT false;
