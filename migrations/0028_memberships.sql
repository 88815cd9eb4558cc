-- Memberships: products whose roles are granted for a time, what members have paid for them, and codes that give them.

ALTER TABLE products ADD COLUMN membership text;
ALTER TABLE orders ADD COLUMN gift_to text;             -- the member of the chat server who receives what the order gives
ALTER TABLE chat_carts ADD COLUMN gift_to text;
ALTER TABLE orders ADD COLUMN kept_until bigint;        -- an unpaid order does not expire before this time
ALTER TABLE entitlements ADD COLUMN expires_at bigint;
ALTER TABLE entitlements ADD COLUMN reason text;        -- why it was revoked
ALTER TABLE entitlements ADD COLUMN membership_id text;
CREATE INDEX entitlements_membership_idx ON entitlements (tenant_id, membership_id, id) WHERE membership_id IS NOT NULL;

CREATE TABLE memberships (
  id                text   NOT NULL,
  tenant_id         text   NOT NULL,
  product_id        text   NOT NULL,                    -- the present plan
  status            text   NOT NULL,
  user_id           text   NOT NULL,
  customer_id       text,
  chat_user_id      text,
  started_at        bigint NOT NULL,
  expires_at        bigint NOT NULL,
  grace_ends_at     bigint NOT NULL,
  paused_at         bigint,
  cancelled_at      bigint,
  renewal_order_id  text,                               -- the order that the reminders of the present period link to
  created_at        bigint NOT NULL,
  updated_at        bigint NOT NULL,
  version           bigint NOT NULL,
  member_key        text   NOT NULL,                    -- who it belongs to
  group_key         text   NOT NULL,                    -- the plans among which the member has one
  changes           text   NOT NULL,                    -- pauses and cancellations, as JSON
  last_period_id    text   NOT NULL,
  reminder_days     text   NOT NULL,                    -- of the plan when it was last paid, as JSON
  renewal           text   NOT NULL,
  due_at            bigint,                             -- when the next reminder or the end is due
  currency          text   NOT NULL,
  monthly_cents     bigint NOT NULL,                    -- what the plan costs a month, 0 during a trial
  CONSTRAINT memberships_pkey PRIMARY KEY (tenant_id, id)
);
CREATE UNIQUE INDEX memberships_member_key ON memberships (tenant_id, member_key, group_key);
CREATE INDEX memberships_created_idx ON memberships (tenant_id, created_at, id);
CREATE INDEX memberships_expires_idx ON memberships (tenant_id, expires_at, id);
CREATE INDEX memberships_status_idx ON memberships (tenant_id, status, created_at, id);
CREATE INDEX memberships_product_idx ON memberships (tenant_id, product_id, created_at, id);
CREATE INDEX memberships_chat_idx ON memberships (tenant_id, chat_user_id, created_at, id) WHERE chat_user_id IS NOT NULL;
-- The job's search, of whatever tenant.
CREATE INDEX memberships_due_idx ON memberships (due_at) WHERE due_at IS NOT NULL;

-- What each payment, trial and code has given. A row is only changed to say that it was refunded.
CREATE TABLE membership_periods (
  id            text   NOT NULL,
  tenant_id     text   NOT NULL,
  membership_id text   NOT NULL,
  product_id    text   NOT NULL,
  kind          text   NOT NULL,
  order_id      text,
  code_id       text,
  gifted_by     text,                                   -- the member of the chat server who paid for it
  months        bigint NOT NULL,
  days          bigint NOT NULL,
  value_cents   bigint NOT NULL,                        -- what was paid for it
  currency      text   NOT NULL,
  paid_at       bigint NOT NULL,
  refunded_at   bigint,
  list_months   bigint NOT NULL,                        -- what one period of the product was and cost
  list_days     bigint NOT NULL,
  list_cents    bigint NOT NULL,
  grace_days    bigint NOT NULL,
  source_key    text   NOT NULL,                        -- the payment, trial or code, which gives time once
  CONSTRAINT membership_periods_pkey PRIMARY KEY (tenant_id, id)
);
CREATE UNIQUE INDEX membership_periods_source_key ON membership_periods (tenant_id, source_key);
CREATE INDEX membership_periods_membership_idx ON membership_periods (tenant_id, membership_id, paid_at, id);
CREATE INDEX membership_periods_order_idx ON membership_periods (tenant_id, order_id) WHERE order_id IS NOT NULL;

-- What reports count: beginnings, renewals and ends.
CREATE TABLE membership_facts (
  tenant_id   text   NOT NULL,
  id          text   NOT NULL,
  currency    text   NOT NULL,
  at          bigint NOT NULL,
  kind        text   NOT NULL,
  value_cents bigint NOT NULL,
  CONSTRAINT membership_facts_pkey PRIMARY KEY (tenant_id, id)
);
CREATE INDEX membership_facts_at_idx ON membership_facts (tenant_id, currency, at);

-- The reminders that were sent, so that each is sent once.
CREATE TABLE membership_reminders (
  tenant_id     text   NOT NULL,
  membership_id text   NOT NULL,
  period_id     text   NOT NULL,
  day           bigint NOT NULL,
  sent_at       bigint NOT NULL,
  CONSTRAINT membership_reminders_pkey PRIMARY KEY (tenant_id, membership_id, period_id, day)
);

CREATE TABLE membership_codes (
  id            text   NOT NULL,
  tenant_id     text   NOT NULL,
  product_id    text   NOT NULL,
  periods       bigint NOT NULL,
  status        text   NOT NULL,
  hint          text   NOT NULL,                        -- the last characters of the code
  note          text,
  expires_at    bigint,
  redeemed_at   bigint,
  customer_id   text,                                   -- who has redeemed it
  membership_id text,
  created_at    bigint NOT NULL,
  updated_at    bigint NOT NULL,
  version       bigint NOT NULL,
  code_hash     text   NOT NULL,
  CONSTRAINT membership_codes_pkey PRIMARY KEY (tenant_id, id)
);
CREATE UNIQUE INDEX membership_codes_hash_key ON membership_codes (tenant_id, code_hash);
CREATE INDEX membership_codes_created_idx ON membership_codes (tenant_id, created_at, id);
CREATE INDEX membership_codes_status_idx ON membership_codes (tenant_id, status, created_at, id);
