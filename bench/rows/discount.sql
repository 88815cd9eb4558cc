-- What a discount adds to an order: it is found by its code, and its use is counted. The first request makes it.
SELECT * FROM discounts WHERE tenant_id = 'default' AND code_key = 'ceiling' AND deleted_at IS NULL;
INSERT INTO discounts (id, tenant_id, code, type, percent, scope, lifecycle, usage_count, created_at, updated_at, version,
  revision, code_key, scope_explicit)
VALUES ('ceiling', 'default', 'CEILING', 'PERCENT', 1000, '{}', '{}', 1, 0, 0, 1, 1, 'ceiling', false)
ON CONFLICT (tenant_id, id) DO UPDATE SET usage_count = discounts.usage_count + 1, version = discounts.version + 1;
