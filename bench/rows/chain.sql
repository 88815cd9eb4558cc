-- What sealing the audit row at once writes besides, on SQLite: the chain's head.
INSERT INTO audit_chains (tenant_id, sequence, hash)
VALUES ('default', :n, '2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae')
ON CONFLICT (tenant_id) DO UPDATE SET sequence = excluded.sequence, hash = excluded.hash;
