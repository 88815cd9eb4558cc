-- Payments: how a shop is paid, what processors were asked for and what came of it, refunds, and which invoice links
-- of an order still count.

CREATE TABLE payment_methods (
  tenant_id   text    NOT NULL,
  method      text    NOT NULL,
  enabled     boolean NOT NULL,
  settings    text    NOT NULL,
  credentials text,                            -- sealed with a key derived from SERVICE_MASTER_KEY; null: none
  created_at  bigint  NOT NULL,
  updated_at  bigint  NOT NULL,
  version     bigint  NOT NULL,
  CONSTRAINT payment_methods_pkey PRIMARY KEY (tenant_id, method)
);

CREATE TABLE payments (
  id                  text   NOT NULL,
  tenant_id           text   NOT NULL,
  order_id            text   NOT NULL,         -- empty: the processor named an order that we do not know
  provider            text   NOT NULL,
  provider_payment_id text,                    -- null until the processor has answered
  status              text   NOT NULL,
  amount_cents        bigint NOT NULL,         -- what came; until something did, what was asked for
  currency            text   NOT NULL,
  expected_cents      bigint NOT NULL,
  expected_currency   text   NOT NULL,
  refunded_cents      bigint NOT NULL,         -- reserved by refunds under way, and returned
  attention           text,
  created_at          bigint NOT NULL,
  updated_at          bigint NOT NULL,
  checkout_url        text,
  provider_reference  text,                    -- what a refund is asked with: the capture, the payment
  expires_at          bigint,
  claimed_until       bigint,                  -- somebody is asking the processor to open it until then
  checked_at          bigint,                  -- when the processor was last asked about it
  error               text,
  version             bigint NOT NULL,
  CONSTRAINT payments_pkey PRIMARY KEY (tenant_id, id)
);
-- A provider's payment is settled once, whoever brings the news.
CREATE UNIQUE INDEX payments_provider_key ON payments (tenant_id, provider, provider_payment_id);
-- A double click opens one payment.
CREATE UNIQUE INDEX payments_live_key ON payments (tenant_id, order_id, provider)
  WHERE status IN ('OPENING', 'OPEN', 'PROCESSING');
CREATE INDEX payments_order_idx ON payments (tenant_id, order_id);
CREATE INDEX payments_reference_idx ON payments (tenant_id, provider, provider_reference);
CREATE INDEX payments_created_idx ON payments (tenant_id, created_at, id);
CREATE INDEX payments_attention_idx ON payments (tenant_id, created_at, id) WHERE attention IS NOT NULL;

CREATE TABLE refunds (
  id                 text   NOT NULL,
  tenant_id          text   NOT NULL,
  order_id           text   NOT NULL,
  payment_id         text   NOT NULL,
  amount_cents       bigint NOT NULL,
  currency           text   NOT NULL,
  status             text   NOT NULL,          -- PENDING, DONE, FAILED
  through_processor  boolean NOT NULL,         -- false: recorded only, somebody returns the money by hand
  provider_refund_id text,
  reason             text,
  error              text,
  created_at         bigint NOT NULL,
  updated_at         bigint NOT NULL,
  version            bigint NOT NULL,
  CONSTRAINT refunds_pkey PRIMARY KEY (tenant_id, id)
);
CREATE INDEX refunds_payment_idx ON refunds (tenant_id, payment_id);
CREATE INDEX refunds_order_idx ON refunds (tenant_id, order_id, created_at, id);
-- A refund that the processor tells us of is counted once.
CREATE UNIQUE INDEX refunds_provider_key ON refunds (tenant_id, payment_id, provider_refund_id);

-- A link carries the generation in which it was made; revoking counts it up.
CREATE TABLE invoice_links (
  tenant_id  text   NOT NULL,
  order_id   text   NOT NULL,
  generation bigint NOT NULL,
  updated_at bigint NOT NULL,
  CONSTRAINT invoice_links_pkey PRIMARY KEY (tenant_id, order_id)
);
