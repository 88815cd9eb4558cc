-- Events that providers send us without naming a tenant that they surely belong to: only a PlatformAdmin sees them.
-- Which of the older shipping events were matched by their tracking number alone is not known, so all of them count.
ALTER TABLE webhook_events ADD COLUMN platform_only boolean NOT NULL DEFAULT false;
UPDATE webhook_events SET platform_only = true WHERE provider = 'SHIPPING' AND source = 'PROVIDER';
CREATE INDEX webhook_events_shown_idx ON webhook_events (tenant_id, created_at, id) WHERE NOT platform_only;

-- Whether a second tenant has the same id or number is found without reading all shipments of the first one.
DROP INDEX shipments_provider_idx;
DROP INDEX shipments_tracker_idx;
DROP INDEX shipments_tracking_idx;
CREATE INDEX shipments_provider_idx ON shipments (provider_shipment_id, tenant_id)
  WHERE provider_shipment_id IS NOT NULL;
CREATE INDEX shipments_tracker_idx ON shipments (tracker_id, tenant_id) WHERE tracker_id IS NOT NULL;
CREATE INDEX shipments_tracking_idx ON shipments (tracking_number, tenant_id) WHERE tracking_number IS NOT NULL;
