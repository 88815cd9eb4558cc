-- Reports. Each sale, each change of a sale and each refund appends a row to report_entries in its own transaction. The
-- rows are then added to report_totals and deleted ("folded"), so that a report reads totals and never orders.

CREATE TABLE report_entries (
  tenant_id text NOT NULL,
  id        text NOT NULL,                     -- sorts by time
  facts     text NOT NULL,                     -- the amounts to add, as JSON; negative ones take a sale back
  CONSTRAINT report_entries_pkey PRIMARY KEY (tenant_id, id)
);

CREATE TABLE report_totals (
  tenant_id       text   NOT NULL,
  dimension       text   NOT NULL,             -- SALES, PRODUCT, CUSTOMER, DISCOUNT, METHOD, FUND
  level           text   NOT NULL,             -- QUARTER (of an hour), HALF, HOUR, DAY, MONTH; all in UTC
  currency        text   NOT NULL,
  key             text   NOT NULL,             -- the product, customer, discount, provider or kind of ledger entry
  bucket          bigint NOT NULL,             -- the time at which the quarter, half hour … begins
  orders          bigint NOT NULL,             -- of FUND: ledger entries
  units           bigint NOT NULL,
  gross_cents     bigint NOT NULL,
  discount_cents  bigint NOT NULL,
  tax_cents       bigint NOT NULL,
  total_cents     bigint NOT NULL,
  refunds         bigint NOT NULL,
  refund_cents    bigint NOT NULL,
  override_cents  bigint NOT NULL,             -- prices that were set by hand, less the prices of the products
  customer_orders bigint NOT NULL,             -- orders that name a customer
  new_customers   bigint NOT NULL,             -- customers whose first order this is
  CONSTRAINT report_totals_pkey PRIMARY KEY (tenant_id, dimension, level, currency, key, bucket)
);
-- The largest of one bucket.
CREATE INDEX report_totals_rank_idx ON report_totals (tenant_id, dimension, level, currency, bucket, total_cents, key)
  WHERE key <> '';

-- The paid orders of each customer, of which the first makes the customer a new one.
CREATE TABLE report_customer_orders (
  tenant_id   text   NOT NULL,
  currency    text   NOT NULL,
  customer_id text   NOT NULL,
  paid_at     bigint NOT NULL,
  order_id    text   NOT NULL,
  entries     bigint NOT NULL,                 -- 1; other values exist only until all entries of the order are folded
  CONSTRAINT report_customer_orders_pkey PRIMARY KEY (tenant_id, currency, customer_id, paid_at, order_id)
);

-- The provider whose payment paid an order. Orders without a row were marked as paid by hand.
CREATE TABLE report_paid_with (
  tenant_id text NOT NULL,
  order_id  text NOT NULL,
  provider  text NOT NULL,
  CONSTRAINT report_paid_with_pkey PRIMARY KEY (tenant_id, order_id)
);
INSERT INTO report_paid_with
  SELECT p.tenant_id, p.order_id, MIN(p.provider)
  FROM payments p JOIN orders o ON o.tenant_id = p.tenant_id AND o.id = p.order_id AND o.paid_at IS NOT NULL
  WHERE p.status IN ('PAID', 'REFUNDED') AND p.confirmed AND p.provider <> 'MANUAL'
  GROUP BY p.tenant_id, p.order_id;

CREATE TABLE report_states (
  tenant_id       text    NOT NULL,
  fund_sequence   bigint  NOT NULL,            -- of the last ledger entry that is part of the totals
  is_built        boolean NOT NULL,            -- false: the totals lack the orders from before the reports existed
  rebuild         bigint  NOT NULL,            -- counts rebuilds; the newest one alone may correct the totals
  rebuilding_until bigint NOT NULL,            -- no other rebuild begins before this time
  CONSTRAINT report_states_pkey PRIMARY KEY (tenant_id)
);
CREATE INDEX report_states_unbuilt_idx ON report_states (tenant_id) WHERE is_built = false;
INSERT INTO report_states SELECT tenant_id, 0, false, 0, 0 FROM tenants;

-- The stock report: what is low or out, and the value of the rest.
CREATE INDEX products_stock_idx ON products (tenant_id, currency, stock_quantity, id, price_cents)
  WHERE inventory_tracked AND stock_quantity IS NOT NULL;
