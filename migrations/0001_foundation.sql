-- The foundation: tenants, users and their grants, customers, idempotency records.
-- One text for both engines. Every key begins with tenant_id, so that the schema can be distributed by tenant.
-- Times are milliseconds since 1970, money is integer minor units, JSON is text.

CREATE TABLE tenants (
  tenant_id     text   NOT NULL,
  name          text   NOT NULL,
  owner_user_id text   NOT NULL,
  admin_user_ids text  NOT NULL DEFAULT '[]',  -- kept for the contract's sake; grants decide
  created_at    bigint NOT NULL,
  updated_at    bigint NOT NULL,
  version       bigint NOT NULL,
  CONSTRAINT tenants_pkey PRIMARY KEY (tenant_id)
);

CREATE TABLE users (
  id            text    NOT NULL,
  tenant_id     text    NOT NULL,
  username      text    NOT NULL,
  display_name  text    NOT NULL,
  email         text,
  avatar_url    text,
  chat_id       text,
  roles         text    NOT NULL DEFAULT '[]',
  is_admin      boolean NOT NULL,
  customer_id   text,
  primary_customer_id text,
  password_hash text,                          -- Argon2id, self-describing; null: no local sign-in
  created_at    bigint  NOT NULL,
  updated_at    bigint  NOT NULL,
  version       bigint  NOT NULL,
  CONSTRAINT users_pkey PRIMARY KEY (tenant_id, id)
);
CREATE UNIQUE INDEX users_username_key ON users (tenant_id, username);

-- What a user may do in a tenant. The user may belong to another tenant (the default admin).
CREATE TABLE grants (
  tenant_id  text   NOT NULL,
  user_id    text   NOT NULL,
  key        text   NOT NULL,
  created_at bigint NOT NULL,
  CONSTRAINT grants_pkey PRIMARY KEY (tenant_id, user_id, key)
);

CREATE TABLE customers (
  id                 text    NOT NULL,
  tenant_id          text    NOT NULL,
  chat_id            text    NOT NULL,
  chat_username      text    NOT NULL,
  chat_display_name  text    NOT NULL,
  source             text    NOT NULL,
  email              text,
  phone              text,
  user_id            text,
  notes              text,
  is_active          boolean NOT NULL,
  addresses          text    NOT NULL,         -- a list of addresses; a few per customer, always read with it
  default_address_id text,
  created_at         bigint  NOT NULL,
  updated_at         bigint  NOT NULL,
  version            bigint  NOT NULL,         -- one more with every change: the ETag, and the guard of updates
  CONSTRAINT customers_pkey PRIMARY KEY (tenant_id, id)
);
-- Find-or-create decides by this key, so two at once make one customer.
CREATE UNIQUE INDEX customers_chat_id_key ON customers (tenant_id, chat_id);
-- Lists: newest first, ties by id.
CREATE INDEX customers_created_idx ON customers (tenant_id, created_at, id);

-- The first successful answer to a POST with an Idempotency-Key, written in the transaction of its effect.
CREATE TABLE idempotency_records (
  tenant_id  text   NOT NULL,
  user_id    text   NOT NULL,
  route      text   NOT NULL,                  -- method and path
  key        text   NOT NULL,
  body_hash  text   NOT NULL,
  status     bigint NOT NULL,                  -- 0 until the effect has happened
  headers    text   NOT NULL,
  body       text   NOT NULL,
  created_at bigint NOT NULL,
  CONSTRAINT idempotency_records_pkey PRIMARY KEY (tenant_id, user_id, route, key)
);
-- Retention looks for the oldest, of whatever tenant.
CREATE INDEX idempotency_records_created_idx ON idempotency_records (created_at);
