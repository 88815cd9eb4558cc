-- The total that the member saw before choosing a payment method. Null: a cart of the previous release.
ALTER TABLE chat_carts ADD COLUMN total_cents bigint;
