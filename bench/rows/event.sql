-- What telling of an order runs besides, on PostgreSQL: the statement that queues the event for whoever wants it, here
-- for nobody.
INSERT INTO outbox_messages (tenant_id, id, topic, lane, payload, status, attempts, due_at, created_at)
SELECT 'default', :id || '.' || receiver.id, 'webhook.deliver', 'webhook.deliver:' || receiver.id,
  '{"messageId":"01a1df9e-354c-736d-bacb-5c54450ad806","event":"order.created","body":{"type":"order.created","timestamp":"2026-11-15T00:00:00.000Z","data":{"orderId":"01a1df9e-354c-736d-bacb-5c54450ad806","orderNumber":"0-000000000001","status":"PENDING_PAYMENT","currency":"USD","totalCents":5500,"customerId":null,"customerName":"Bench","customerChatId":null,"anonymousContribution":false,"items":[{"productId":"p1","name":"Mug","sku":"MUG-1","quantity":2,"unitPriceCents":1500},{"productId":"p2","name":"Shirt","sku":"SHIRT-1","quantity":1,"unitPriceCents":2500}]}}}',
  'PENDING', 0, :n, :n
FROM (SELECT id FROM webhook_endpoints WHERE tenant_id = 'default' AND enabled
  AND (events = '[]' OR events LIKE '%"order.created"%')) AS receiver;
