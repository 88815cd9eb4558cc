-- What a member has chosen in the chat and not ordered yet. The steps of a purchase arrive as messages of their own, on
-- whatever node, and nothing that the client sends back is believed. With its order a cart is over: asking again leads
-- to the same order.
CREATE TABLE chat_carts (
  tenant_id        text    NOT NULL,
  id               text    NOT NULL,
  chat_user_id     text    NOT NULL,
  product_id       text    NOT NULL,
  quantity         bigint  NOT NULL,
  unit_price_cents bigint  NOT NULL,
  currency         text    NOT NULL,
  discount_code    text,
  shipping_address text,
  anonymous        boolean NOT NULL,
  order_id         text,
  expires_at       bigint  NOT NULL,
  CONSTRAINT chat_carts_pkey PRIMARY KEY (tenant_id, id)
);
CREATE INDEX chat_carts_expires_idx ON chat_carts (expires_at);

-- Until when the chat platform takes no calls of a kind: told to one node, known to all. The limits are the bot's, not a
-- tenant's: tenant_id is empty in all rows.
CREATE TABLE chat_limits (
  tenant_id    text   NOT NULL,
  bucket       text   NOT NULL,
  closed_until bigint NOT NULL,
  CONSTRAINT chat_limits_pkey PRIMARY KEY (tenant_id, bucket)
);

-- Where a member is registered: in a direct message nothing else names the shop.
CREATE INDEX identities_person_idx ON identities (provider, provider_user_id, created_at);

-- What a shop offers, newest first.
CREATE INDEX products_offered_idx ON products (tenant_id, created_at, id) WHERE is_active;
