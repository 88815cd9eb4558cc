-- Digital delivery: the keys, links and texts that the buyers of a product get, and the computers that use a key.

CREATE TABLE deliverables (
  id               text   NOT NULL,
  tenant_id        text   NOT NULL,
  product_id       text   NOT NULL,
  kind             text   NOT NULL,
  name             text   NOT NULL,
  position         bigint NOT NULL,
  per              text   NOT NULL,
  available_at     bigint,
  pattern          text,                                -- of generated keys; null: they are signed
  activations_max  bigint,                              -- of each key
  content          text,                                -- sealed: the link or the text
  created_at       bigint NOT NULL,
  updated_at       bigint NOT NULL,
  version          bigint NOT NULL,
  CONSTRAINT deliverables_pkey PRIMARY KEY (tenant_id, id)
);
CREATE INDEX deliverables_product_idx ON deliverables (tenant_id, product_id, position, id);
-- The free keys are the stock of the product, so it has one pool.
CREATE UNIQUE INDEX deliverables_pool_key ON deliverables (tenant_id, product_id) WHERE kind = 'KEY_POOL';

CREATE TABLE delivery_keys (
  id              text   NOT NULL,
  tenant_id       text   NOT NULL,
  deliverable_id  text   NOT NULL,
  status          text   NOT NULL,
  hint            text   NOT NULL,                      -- the last characters
  order_id        text,
  entitlement_id  text,
  assigned_at     bigint,
  revoked_at      bigint,
  created_at      bigint NOT NULL,
  updated_at      bigint NOT NULL,
  version         bigint NOT NULL,
  key             text   NOT NULL,                      -- sealed
  key_hash        text   NOT NULL,
  CONSTRAINT delivery_keys_pkey PRIMARY KEY (tenant_id, id)
);
CREATE UNIQUE INDEX delivery_keys_hash_key ON delivery_keys (tenant_id, key_hash);
CREATE INDEX delivery_keys_created_idx ON delivery_keys (tenant_id, created_at, id);
CREATE INDEX delivery_keys_list_idx ON delivery_keys (tenant_id, deliverable_id, created_at, id);
CREATE INDEX delivery_keys_status_idx ON delivery_keys (tenant_id, status, created_at, id);
CREATE INDEX delivery_keys_order_idx ON delivery_keys (tenant_id, order_id, id) WHERE order_id IS NOT NULL;
CREATE INDEX delivery_keys_free_idx ON delivery_keys (tenant_id, deliverable_id, id) WHERE status = 'FREE';
CREATE INDEX delivery_keys_sold_idx ON delivery_keys (tenant_id, deliverable_id, id) WHERE status <> 'FREE';
CREATE INDEX delivery_keys_entitlement_idx ON delivery_keys (tenant_id, entitlement_id, id)
  WHERE entitlement_id IS NOT NULL;

CREATE TABLE licence_activations (
  id           text   NOT NULL,
  tenant_id    text   NOT NULL,
  key_id       text   NOT NULL,
  order_id     text,                                    -- of the key, for whoever erases its buyer
  name         text   NOT NULL,
  fingerprint  text   NOT NULL,
  created_at   bigint NOT NULL,
  CONSTRAINT licence_activations_pkey PRIMARY KEY (tenant_id, id)
);
CREATE UNIQUE INDEX licence_activations_fingerprint_key ON licence_activations (tenant_id, key_id, fingerprint);

-- What a shop hashes its keys and signs its licences with.
CREATE TABLE shop_secrets (
  tenant_id   text   NOT NULL,
  public_key  text   NOT NULL,
  seed        text   NOT NULL,                          -- sealed
  created_at  bigint NOT NULL,
  CONSTRAINT shop_secrets_pkey PRIMARY KEY (tenant_id)
);

ALTER TABLE products ADD COLUMN delivers text NOT NULL DEFAULT 'NOTHING';
-- The digital items of a member.
CREATE INDEX entitlements_items_idx ON entitlements (tenant_id, chat_user_id, created_at, id)
  WHERE type = 'DIGITAL_ITEM' AND status = 'GRANTED' AND chat_user_id IS NOT NULL;
-- Buyers who wait for keys, in the order of their payments.
CREATE INDEX entitlements_waiting_idx ON entitlements (tenant_id, product_id, created_at, id)
  WHERE type = 'DIGITAL_ITEM' AND status = 'PENDING';
