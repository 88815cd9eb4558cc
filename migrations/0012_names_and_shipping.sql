-- Usernames are unique without case. The key is filled by the program at its start (fill_username_keys), since the
-- databases disagree about case; of users whose names differ only in case the oldest gets the name's key.
ALTER TABLE users ADD COLUMN username_key text;
CREATE UNIQUE INDEX users_username_folded_key ON users (tenant_id, username_key);
CREATE INDEX users_unkeyed_idx ON users (created_at, id) WHERE username_key IS NULL;

-- When an order was first marked shipped, which is announced once. Older orders that are shipped are not announced again.
ALTER TABLE orders ADD COLUMN shipped_at bigint;
UPDATE orders SET shipped_at = updated_at
  WHERE status IN ('SHIPPED', 'COMPLETE') OR shipping_status IN ('SHIPPED', 'DELIVERED');
