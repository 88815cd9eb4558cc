-- Messages to buyers: what a shop sends, what it has sent, and what is known about the receivers.

CREATE TABLE message_settings (
  tenant_id          text    NOT NULL,
  locale             text,                              -- of buyers whose language is not known; null: en
  email_when_refused boolean NOT NULL,
  kinds              text    NOT NULL,                  -- the switches that differ from the default, as JSON
  texts              text    NOT NULL,                  -- the shop's own texts, as JSON
  updated_at         bigint  NOT NULL,
  version            bigint  NOT NULL,
  CONSTRAINT message_settings_pkey PRIMARY KEY (tenant_id)
);

-- A row for each message and medium. The cause makes it unique: each message is sent once.
CREATE TABLE message_log (
  id           text   NOT NULL,
  tenant_id    text   NOT NULL,
  kind         text   NOT NULL,
  medium       text   NOT NULL,
  status       text   NOT NULL,
  customer_id  text,
  chat_user_id text,
  order_id     text,
  reason       text,                                    -- why it was not sent
  created_at   bigint NOT NULL,
  finished_at  bigint,
  cause_key    text   NOT NULL,
  CONSTRAINT message_log_pkey PRIMARY KEY (tenant_id, id)
);
CREATE UNIQUE INDEX message_log_cause_key ON message_log (tenant_id, cause_key, medium);
CREATE INDEX message_log_created_idx ON message_log (tenant_id, created_at, id);
CREATE INDEX message_log_customer_idx ON message_log (tenant_id, customer_id, created_at, id) WHERE customer_id IS NOT NULL;
CREATE INDEX message_log_chat_idx ON message_log (tenant_id, chat_user_id, created_at, id) WHERE chat_user_id IS NOT NULL;
CREATE INDEX message_log_order_idx ON message_log (tenant_id, order_id, created_at, id) WHERE order_id IS NOT NULL;
CREATE INDEX message_log_medium_idx ON message_log (tenant_id, medium, created_at);
-- The search for old rows, of whatever tenant.
CREATE INDEX message_log_old_idx ON message_log (created_at);

-- Only receivers about whom something is known.
CREATE TABLE message_receivers (
  id                text   NOT NULL,                    -- chat/<member>, customer/<id> or email/<address>
  tenant_id         text   NOT NULL,
  locale            text,                               -- as the chat platform says
  direct_refused_at bigint,                             -- when the chat platform last refused a direct message
  unsubscribed_at   bigint,
  created_at        bigint NOT NULL,
  updated_at        bigint NOT NULL,
  CONSTRAINT message_receivers_pkey PRIMARY KEY (tenant_id, id)
);
CREATE INDEX message_receivers_created_idx ON message_receivers (tenant_id, created_at, id);
