-- The open orders' first page of 50, as src/features/orders/open_orders.cpp asks for it.
SELECT o.id, o.order_number, o.status, o.shipping_status, o.total_cents, o.currency, o.customer, o.created_at, o.updated_at
FROM (SELECT created_at, id FROM orders WHERE tenant_id = 'default' AND is_open
      ORDER BY created_at DESC, id DESC LIMIT 50) shown
JOIN orders o ON o.tenant_id = 'default' AND o.id = shown.id ORDER BY shown.created_at DESC, shown.id DESC;
