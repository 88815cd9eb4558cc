-- Which order a processor named for a payment, and whether we know the payment from more than a webhook.
-- `claimed_order_id` stays when no order of ours fits; `order_id` is empty then.
ALTER TABLE payments ADD COLUMN claimed_order_id text;
-- True: we opened the payment, or the processor's API told us of it. False: a webhook alone did.
ALTER TABLE payments ADD COLUMN confirmed boolean NOT NULL DEFAULT true;
CREATE INDEX payments_claim_idx ON payments (tenant_id, claimed_order_id) WHERE confirmed = false;
