-- The open orders' first page of 50, as src/features/orders/open_orders.cpp asks for it.
SELECT id, order_number, status, shipping_status, total_cents, currency, customer, created_at, updated_at FROM orders
WHERE tenant_id = 'default' AND is_open ORDER BY created_at DESC, id DESC LIMIT 50;
