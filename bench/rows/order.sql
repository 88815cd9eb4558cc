-- What placing an order of two items writes: the order, its products, its audit row, and the count of open orders.
INSERT INTO orders (id, tenant_id, order_number, status, shipping_status, items, currency, customer, customer_role_ids,
  subtotal_cents, discount_amount_cents, tax_amount_cents, total_cents, anonymous_contribution, created_at, updated_at,
  version, pricing, stock_taken, use_counted, search, is_open, search_text)
VALUES (:id, 'default', :id, 'PENDING_PAYMENT', 'PENDING',
  '[{"productId":"p1","name":"Mug","sku":"MUG-1","quantity":2,"unitPriceCents":1500,"currency":"USD"},{"productId":"p2","name":"Shirt","sku":"SHIRT-1","quantity":1,"unitPriceCents":2500,"currency":"USD"}]',
  'USD', '{"name":"Bench","email":null,"chatId":null}', '[]', 5500, 0, 0, 5500, false, :n, :n, 1,
  '{"discount":null,"overrides":[],"computedAt":"2026-01-01T00:00:00.000Z"}', '[]', false, :id, true, :id || ' bench')
ON CONFLICT DO NOTHING;
INSERT INTO order_products (tenant_id, product_id, order_id) VALUES ('default', 'p1', :id) ON CONFLICT DO NOTHING;
INSERT INTO order_products (tenant_id, product_id, order_id) VALUES ('default', 'p2', :id) ON CONFLICT DO NOTHING;
INSERT INTO audit_entries (id, tenant_id, at, actor_kind, actor_id, request_id, subject, subject_id, action, changes)
VALUES (:id, 'default', :n, 'USER', '01a1df9e-354c-736d-bacb-5c54450ad806', '01a1df9e-36b1-7104-92f3-793d26fc3e31',
  'order', :id, 'created',
  '{"orderNumber":{"before":null,"after":"0-000000000001"},"status":{"before":null,"after":"PENDING_PAYMENT"},"shippingStatus":{"before":null,"after":"PENDING"},"items":{"before":null,"after":[{"productId":"p1","name":"Mug","sku":"MUG-1","quantity":2,"unitPriceCents":1500,"currency":"USD"},{"productId":"p2","name":"Shirt","sku":"SHIRT-1","quantity":1,"unitPriceCents":2500,"currency":"USD"}]},"currency":{"before":null,"after":"USD"},"customer":{"before":null,"after":{"name":"Bench","email":null,"chatId":null}},"subtotalCents":{"before":null,"after":5500},"totalCents":{"before":null,"after":5500}}')
ON CONFLICT DO NOTHING;
INSERT INTO order_counters (tenant_id, status, slot, orders) VALUES ('default', 'PENDING_PAYMENT', :slot, 1)
ON CONFLICT (tenant_id, status, slot) DO UPDATE SET orders = order_counters.orders + excluded.orders;
