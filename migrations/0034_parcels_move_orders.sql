-- Whether the parcels of a shop's orders move the status of their order.
ALTER TABLE tenant_settings ADD COLUMN parcels_move_orders boolean NOT NULL DEFAULT true;
