-- Pictures of products and shops. Each picture has two files; a record that shows it holds their paths.
CREATE TABLE media_files (
  tenant_id  text   NOT NULL,
  id         text   NOT NULL,                  -- random; part of the public path
  bytes      bigint NOT NULL,                  -- of the file
  content    text,                             -- base64; null: a file in MEDIA_DIR
  created_at bigint NOT NULL,
  CONSTRAINT media_files_pkey PRIMARY KEY (tenant_id, id)
);
-- A path names no tenant. Not unique, so that the table can be distributed by tenant: ids are random.
CREATE INDEX media_files_id_idx ON media_files (id);

-- The total of a tenant's files, so that nothing has to add them up.
CREATE TABLE media_usage (
  tenant_id text    NOT NULL,
  bytes     bigint  NOT NULL,
  deleted   boolean NOT NULL,                  -- the tenant was deleted: its files are not served, and deleted later
  CONSTRAINT media_usage_pkey PRIMARY KEY (tenant_id)
);
CREATE INDEX media_usage_deleted_idx ON media_usage (tenant_id) WHERE deleted;

ALTER TABLE products ADD COLUMN image text;

-- How a shop presents itself; null: the tenant's name, no logo, the usual colour.
CREATE TABLE branding (
  tenant_id    text   NOT NULL,
  name         text,
  accent_color text,
  logo         text,
  updated_at   bigint NOT NULL,
  version      bigint NOT NULL,
  CONSTRAINT branding_pkey PRIMARY KEY (tenant_id)
);
