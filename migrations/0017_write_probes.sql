-- Readiness: a probe inserts a row here and deletes it in the same transaction, so the table is always empty.
CREATE TABLE write_probes (
  id text NOT NULL,
  CONSTRAINT write_probes_pkey PRIMARY KEY (id)
);
