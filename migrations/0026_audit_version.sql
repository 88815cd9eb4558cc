-- The record's version after the change, so that readers of the trail know whether they have seen it. Null where the
-- record has no version, and in older entries.
ALTER TABLE audit_entries ADD COLUMN version bigint;
