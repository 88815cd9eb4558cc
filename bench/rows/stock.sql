-- What an order of two counted products changes besides: their stock.
UPDATE products SET stock_quantity = stock_quantity - 1, updated_at = :n, version = version + 1
WHERE tenant_id = 'default' AND id = 'p1' AND inventory_tracked AND stock_quantity IS NOT NULL;
UPDATE products SET stock_quantity = stock_quantity - 1, updated_at = :n, version = version + 1
WHERE tenant_id = 'default' AND id = 'p2' AND inventory_tracked AND stock_quantity IS NOT NULL;
