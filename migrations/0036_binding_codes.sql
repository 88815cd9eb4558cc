-- One-time codes with which somebody who manages a chat server binds it to the shop that has made the code. Only a hash is
-- stored. Using a code deletes its row.
CREATE TABLE chat_binding_codes (
  tenant_id  text   NOT NULL,
  code_hash  text   NOT NULL,
  verifier   text   NOT NULL,                  -- of PKCE, for the platform's page that adds the bot
  user_id    text   NOT NULL,                  -- who has made it
  created_at bigint NOT NULL,
  expires_at bigint NOT NULL,
  CONSTRAINT chat_binding_codes_pkey PRIMARY KEY (tenant_id, code_hash)
);
-- A member enters only the code.
CREATE INDEX chat_binding_codes_hash_idx ON chat_binding_codes (code_hash);
