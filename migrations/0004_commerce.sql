-- Products with their stock, discounts, orders and what counts them.

CREATE TABLE products (
  id                text    NOT NULL,
  tenant_id         text    NOT NULL,
  name              text    NOT NULL,
  description       text,
  sku               text    NOT NULL,
  price_cents       bigint  NOT NULL,
  currency          text    NOT NULL,
  required_role_ids text    NOT NULL,
  granted_role_ids  text    NOT NULL,
  is_digital        boolean NOT NULL,
  is_active         boolean NOT NULL,
  inventory_tracked boolean NOT NULL,
  stock_quantity    bigint,                    -- null: not counted
  created_at        bigint  NOT NULL,
  updated_at        bigint  NOT NULL,
  version           bigint  NOT NULL,
  CONSTRAINT products_pkey PRIMARY KEY (tenant_id, id)
);
CREATE UNIQUE INDEX products_sku_key ON products (tenant_id, sku);
CREATE INDEX products_created_idx ON products (tenant_id, created_at, id);

-- A deleted discount stays as a row: orders that have it keep its terms, and may still give their use back.
CREATE TABLE discounts (
  id             text    NOT NULL,
  tenant_id      text    NOT NULL,
  code           text,
  type           text    NOT NULL,
  percent        bigint,                       -- hundredths of a percent
  amount_cents   bigint,
  currency       text,
  scope          text    NOT NULL,
  lifecycle      text    NOT NULL,
  usage_count    bigint  NOT NULL,
  created_at     bigint  NOT NULL,
  updated_at     bigint  NOT NULL,
  version        bigint  NOT NULL,             -- counts every write, uses too: the ETag
  revision       bigint  NOT NULL,             -- counts changes of the terms: an order's price rests on one of them
  code_key       text,                         -- the code without case
  usage_limit    bigint,                       -- as in lifecycle, where a guarded update can see it
  scope_explicit boolean NOT NULL,             -- appliesToAll was given, not derived from the lists
  deleted_at     bigint,
  CONSTRAINT discounts_pkey PRIMARY KEY (tenant_id, id)
);
CREATE UNIQUE INDEX discounts_code_key ON discounts (tenant_id, code_key) WHERE deleted_at IS NULL;
CREATE INDEX discounts_created_idx ON discounts (tenant_id, created_at, id) WHERE deleted_at IS NULL;

-- A deleted order stays as a row, for the audit; its number becomes free.
CREATE TABLE orders (
  id                     text    NOT NULL,
  tenant_id              text    NOT NULL,
  order_number           text    NOT NULL,
  status                 text    NOT NULL,
  shipping_status        text    NOT NULL,
  items                  text    NOT NULL,     -- a list; always read and written with its order
  currency               text    NOT NULL,
  customer               text    NOT NULL,
  customer_id            text,
  customer_role_ids      text    NOT NULL,
  discount_id            text,
  discount_code          text,
  subtotal_cents         bigint  NOT NULL,
  discount_amount_cents  bigint  NOT NULL,
  tax_amount_cents       bigint  NOT NULL,
  total_cents            bigint  NOT NULL,
  shipping_address       text,
  shipment_id            text,
  tracking_number        text,
  notes                  text,
  anonymous_contribution boolean NOT NULL,
  paid_at                bigint,
  created_at             bigint  NOT NULL,
  updated_at             bigint  NOT NULL,
  version                bigint  NOT NULL,
  pricing                text    NOT NULL,     -- why the price is what it is
  stock_taken            text    NOT NULL,     -- what the order holds of which product, to be given back exactly
  use_counted            boolean NOT NULL,     -- the discount's use that the order holds
  search                 text    NOT NULL,     -- the order number without case
  is_open                boolean NOT NULL,     -- in an open status, and not deleted
  deleted_at             bigint,
  CONSTRAINT orders_pkey PRIMARY KEY (tenant_id, id)
);
CREATE UNIQUE INDEX orders_number_key ON orders (tenant_id, order_number) WHERE deleted_at IS NULL;
CREATE INDEX orders_created_idx ON orders (tenant_id, created_at, id) WHERE deleted_at IS NULL;
CREATE INDEX orders_customer_idx ON orders (tenant_id, customer_id, created_at, id)
  WHERE customer_id IS NOT NULL AND deleted_at IS NULL;
-- Pages of open orders are found in these alone; only the rows shown are then read.
CREATE INDEX orders_open_idx ON orders (tenant_id, created_at, id, search) WHERE is_open;
CREATE INDEX orders_open_status_idx ON orders (tenant_id, status, created_at, id, search) WHERE is_open;

-- How many orders a tenant has in a status, so that nothing has to count them. On PostgreSQL spread over slots,
-- because a single row would serialise a busy shop.
CREATE TABLE order_counters (
  tenant_id text   NOT NULL,
  status    text   NOT NULL,
  slot      bigint NOT NULL,
  orders    bigint NOT NULL,
  CONSTRAINT order_counters_pkey PRIMARY KEY (tenant_id, status, slot)
);

-- What a tenant has chosen for itself; null: the installation's default.
CREATE TABLE tenant_settings (
  tenant_id            text   NOT NULL,
  order_expiry_minutes bigint,                 -- 0: unpaid orders never expire
  updated_at           bigint NOT NULL,
  version              bigint NOT NULL,
  CONSTRAINT tenant_settings_pkey PRIMARY KEY (tenant_id)
);
