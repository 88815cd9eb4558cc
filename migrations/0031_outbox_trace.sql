-- The W3C `traceparent` of the request that caused the message. Its deliveries belong to the same trace. Null: no trace.
ALTER TABLE outbox_messages ADD COLUMN traceparent text;
