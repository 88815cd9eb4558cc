-- Texts by keys that programs keep with a record, as a JSON object.
ALTER TABLE products ADD COLUMN metadata text NOT NULL DEFAULT '{}';
ALTER TABLE orders ADD COLUMN metadata text NOT NULL DEFAULT '{}';
ALTER TABLE customers ADD COLUMN metadata text NOT NULL DEFAULT '{}';
ALTER TABLE discounts ADD COLUMN metadata text NOT NULL DEFAULT '{}';
ALTER TABLE memberships ADD COLUMN metadata text NOT NULL DEFAULT '{}';

-- The records that have a value under a key. The ids of records rise with time, so they also give the order of a list.
CREATE TABLE metadata_entries (
  tenant_id  text NOT NULL,
  record_table text NOT NULL,
  entry      text NOT NULL,                    -- a hash of key and value, which may be too long for an index
  record_id  text NOT NULL,
  CONSTRAINT metadata_entries_pkey PRIMARY KEY (tenant_id, record_table, entry, record_id)
) -- sqlite: WITHOUT ROWID
;
