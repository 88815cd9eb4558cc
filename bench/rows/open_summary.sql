-- How many orders are open, from the counters.
SELECT status, CAST(SUM(orders) AS bigint) FROM order_counters WHERE tenant_id = 'default' GROUP BY status;
