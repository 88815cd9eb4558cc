-- What an order asks besides, on PostgreSQL: which of its products have a stock that is counted.
SELECT id FROM products WHERE tenant_id = 'default' AND id IN ('p1', 'p2') AND inventory_tracked
  AND stock_quantity IS NOT NULL;
