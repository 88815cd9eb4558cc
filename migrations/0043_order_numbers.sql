-- Sequential order numbers of a shop: the prefix and the next number. Null: numbers are random.
ALTER TABLE tenant_settings ADD COLUMN order_number_prefix text;
ALTER TABLE tenant_settings ADD COLUMN order_number_next bigint NOT NULL DEFAULT 1001;
