-- A shop has one name: that of its tenant. The name of the branding, which buyers saw, becomes it. The column stays, empty.
-- beside the previous release: the tenant's name becomes the one that it shows
UPDATE tenants SET version = version + 1,
    name = (SELECT shown.name FROM branding AS shown WHERE shown.tenant_id = tenants.tenant_id)
  WHERE EXISTS (SELECT 1 FROM branding AS shown WHERE shown.tenant_id = tenants.tenant_id AND shown.name IS NOT NULL);
-- beside the previous release: it shows the name of the tenant where the branding has none
UPDATE branding SET name = NULL, version = version + 1 WHERE name IS NOT NULL;

-- People may sign in with the name of their shop. Longer names are found by the id only.
CREATE INDEX tenants_name_idx ON tenants (LOWER(SUBSTR(name, 1, 200)));
