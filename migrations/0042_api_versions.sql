-- The version of the API that the requests of a token ask for; null: the present one.
ALTER TABLE api_tokens ADD COLUMN api_version text;
