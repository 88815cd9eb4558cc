-- What follows from an order: parcels, what a buyer is entitled to, and the platform's own billing of its tenants.

CREATE TABLE shipments (
  id                   text   NOT NULL,
  tenant_id            text   NOT NULL,
  order_id             text   NOT NULL,
  carrier              text,
  service              text,
  tracking_number      text,
  label_url            text,
  status               text   NOT NULL,
  ship_from            text,
  ship_to              text,
  shipped_at           bigint,
  delivered_at         bigint,
  provider_shipment_id text,
  tracker_id           text,
  created_at           bigint NOT NULL,
  updated_at           bigint NOT NULL,
  version              bigint NOT NULL,
  tracked_at           bigint,                 -- the provider's time of the last event that was applied
  CONSTRAINT shipments_pkey PRIMARY KEY (tenant_id, id)
);
CREATE INDEX shipments_created_idx ON shipments (tenant_id, created_at, id);
-- The provider's events name no tenant: these find the shipment, of whatever tenant.
CREATE INDEX shipments_provider_idx ON shipments (provider_shipment_id) WHERE provider_shipment_id IS NOT NULL;
CREATE INDEX shipments_tracker_idx ON shipments (tracker_id) WHERE tracker_id IS NOT NULL;
CREATE INDEX shipments_tracking_idx ON shipments (tracking_number) WHERE tracking_number IS NOT NULL;

CREATE TABLE entitlements (
  id              text   NOT NULL,
  tenant_id       text   NOT NULL,
  user_id         text   NOT NULL,
  order_id        text   NOT NULL,
  product_id      text   NOT NULL,
  type            text   NOT NULL,
  role_id         text,
  status          text   NOT NULL,
  metadata        text   NOT NULL,
  granted_at      bigint,
  customer_id     text,
  chat_user_id    text,
  last_attempt_at bigint,
  failure_reason  text,                        -- why the last attempt failed
  created_at      bigint NOT NULL,
  updated_at      bigint NOT NULL,
  version         bigint NOT NULL,
  checked_at      bigint NOT NULL,             -- when it was last compared with the chat platform
  source_key      text,                        -- what of the order it stands for, once; null: made by hand
  CONSTRAINT entitlements_pkey PRIMARY KEY (tenant_id, id)
);
CREATE UNIQUE INDEX entitlements_source_key ON entitlements (tenant_id, source_key);
CREATE INDEX entitlements_created_idx ON entitlements (tenant_id, created_at, id);
CREATE INDEX entitlements_order_idx ON entitlements (tenant_id, order_id);
-- A member's roles, and the reconciler's search for those not compared for long, of whatever tenant.
CREATE INDEX entitlements_member_idx ON entitlements (tenant_id, chat_user_id, role_id)
  WHERE type = 'CHAT_ROLE' AND chat_user_id IS NOT NULL;
CREATE INDEX entitlements_checked_idx ON entitlements (checked_at)
  WHERE type = 'CHAT_ROLE' AND chat_user_id IS NOT NULL;

-- Which chat servers are a tenant's. A server is one tenant's: who binds it looks through guild_bindings_guild_idx.
CREATE TABLE guild_bindings (
  tenant_id  text   NOT NULL,
  guild_id   text   NOT NULL,
  created_at bigint NOT NULL,
  CONSTRAINT guild_bindings_pkey PRIMARY KEY (tenant_id, guild_id)
);
CREATE INDEX guild_bindings_guild_idx ON guild_bindings (guild_id);

-- The platform's billing belongs to no tenant, even where an account is a tenant's: tenant_id is empty in all rows.
CREATE TABLE billing_accounts (
  tenant_id       text   NOT NULL,
  customer_id     text   NOT NULL,             -- the billing provider's
  owner_tenant_id text,                        -- whose account it is
  named_tenant_id text,                        -- as the provider's metadata says, which goes before who created it
  maker_tenant_id text,
  named_at        bigint NOT NULL,
  subscriptions   text   NOT NULL,             -- the newest that is known of each
  failure         text,                        -- the newest failed payment
  created_at      bigint NOT NULL,
  updated_at      bigint NOT NULL,
  version         bigint NOT NULL,
  CONSTRAINT billing_accounts_pkey PRIMARY KEY (tenant_id, customer_id)
);
CREATE INDEX billing_accounts_owner_idx ON billing_accounts (tenant_id, owner_tenant_id);

CREATE TABLE billing_invoices (
  tenant_id         text   NOT NULL,
  invoice_id        text   NOT NULL,
  customer_id       text,
  paid_at           bigint,                    -- once set it stays: a paid invoice is paid
  payment_intent_id text,
  intent_at         bigint NOT NULL,
  failure_message   text,
  failed_at         bigint,
  created_at        bigint NOT NULL,
  updated_at        bigint NOT NULL,
  version           bigint NOT NULL,
  CONSTRAINT billing_invoices_pkey PRIMARY KEY (tenant_id, invoice_id)
);
CREATE INDEX billing_invoices_customer_idx ON billing_invoices (tenant_id, customer_id, created_at);
