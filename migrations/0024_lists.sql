-- Lists with filters, orders and searches.

-- Text that a search looks at, case-folded. The program fills it, at its start for rows from before (fill_search_texts),
-- since the databases disagree about case. Null: not filled yet.
ALTER TABLE orders ADD COLUMN search_text text;
CREATE INDEX orders_unfilled_idx ON orders (tenant_id, id) WHERE search_text IS NULL;
ALTER TABLE customers ADD COLUMN search_text text;
CREATE INDEX customers_unfilled_idx ON customers (tenant_id, id) WHERE search_text IS NULL;
ALTER TABLE products ADD COLUMN search_text text;
CREATE INDEX products_unfilled_idx ON products (tenant_id, id) WHERE search_text IS NULL;
ALTER TABLE users ADD COLUMN search_text text;
CREATE INDEX users_unfilled_idx ON users (tenant_id, id) WHERE search_text IS NULL;

-- The orders of a product. The ids of orders rise with time, so they also give the order of the list.
CREATE TABLE order_products (
  tenant_id  text NOT NULL,
  product_id text NOT NULL,
  order_id   text NOT NULL,
  CONSTRAINT order_products_pkey PRIMARY KEY (tenant_id, product_id, order_id)
) -- sqlite: WITHOUT ROWID
;

-- These end with deleted_at because SQLite otherwise reads the row to see that it is null. A search and a range of totals
-- read the first of them alone.
DROP INDEX orders_created_idx;
CREATE INDEX orders_created_idx ON orders (tenant_id, created_at, id, total_cents, search_text, deleted_at)
  WHERE deleted_at IS NULL;
DROP INDEX orders_open_status_idx;
CREATE INDEX orders_status_idx ON orders (tenant_id, status, created_at, id, search, deleted_at) WHERE deleted_at IS NULL;
CREATE INDEX orders_shipping_idx ON orders (tenant_id, shipping_status, created_at, id, deleted_at)
  WHERE deleted_at IS NULL;
CREATE INDEX orders_total_idx ON orders (tenant_id, total_cents, id, created_at, deleted_at) WHERE deleted_at IS NULL;
CREATE INDEX orders_discount_idx ON orders (tenant_id, discount_id, created_at, id)
  WHERE discount_id IS NOT NULL AND deleted_at IS NULL;

-- The orders of a payment method and of a payment's status.
CREATE INDEX payments_provider_idx ON payments (tenant_id, provider, order_id);
CREATE INDEX payments_status_idx ON payments (tenant_id, status, order_id);

CREATE INDEX products_price_idx ON products (tenant_id, price_cents, id);
CREATE INDEX shipments_order_idx ON shipments (tenant_id, order_id, created_at, id);
CREATE INDEX shipments_status_idx ON shipments (tenant_id, status, created_at, id);
CREATE INDEX entitlements_status_idx ON entitlements (tenant_id, status, created_at, id);
CREATE INDEX webhook_events_status_idx ON webhook_events (tenant_id, status, created_at, id);
