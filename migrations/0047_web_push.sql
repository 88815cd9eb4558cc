-- Browsers that show a person's alerts. `id` is a hash of the endpoint: a browser that subscribes again replaces its row.
CREATE TABLE push_subscriptions (
  tenant_id      text   NOT NULL,
  id             text   NOT NULL,
  user_tenant_id text   NOT NULL,
  user_id        text   NOT NULL,
  endpoint       text   NOT NULL,
  p256dh         text   NOT NULL,
  auth           text   NOT NULL,
  created_at     bigint NOT NULL,
  CONSTRAINT push_subscriptions_pkey PRIMARY KEY (tenant_id, id)
);
CREATE INDEX push_subscriptions_person ON push_subscriptions (tenant_id, user_tenant_id, user_id, created_at, id);
CREATE INDEX push_subscriptions_user ON push_subscriptions (user_tenant_id, user_id);

-- The key pair with which this installation identifies itself to push services. It belongs to the installation, not to a
-- tenant: tenant_id is empty in all rows.
CREATE TABLE vapid_keys (
  tenant_id  text   NOT NULL,
  public_key text   NOT NULL,
  sealed_key text   NOT NULL,  -- sealed with the master key
  created_at bigint NOT NULL,
  CONSTRAINT vapid_keys_pkey PRIMARY KEY (tenant_id)
);

-- beside the previous release: it does not know this table, which is new since then.
UPDATE alert_settings SET kinds = replace(kinds, '"email":', '"push":false,"email":');
