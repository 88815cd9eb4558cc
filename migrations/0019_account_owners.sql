-- Whose account with the processor (OPERATOR or TENANT) a payment was opened with, and whose secret verified a stored
-- webhook event. Otherwise a tenant that sets credentials of its own could sign webhooks about payments that were opened
-- with the operator's account. Null: unknown, as in all older rows; the tenant's current account counts for those.
ALTER TABLE payments ADD COLUMN opened_with text;
ALTER TABLE webhook_events ADD COLUMN verified_with text;
