-- A grant belongs to the user of one tenant, so that a user with the same id in another tenant does not have it. Where
-- nobody has the id yet, the grant belongs to the tenant's own user of that id.
ALTER TABLE grants ADD COLUMN user_tenant_id text NOT NULL DEFAULT '';
UPDATE grants SET user_tenant_id = tenant_id;
UPDATE grants SET user_tenant_id = (SELECT MIN(u.tenant_id) FROM users u WHERE u.id = grants.user_id)
WHERE NOT EXISTS (SELECT 1 FROM users u WHERE u.tenant_id = grants.tenant_id AND u.id = grants.user_id)
  AND EXISTS (SELECT 1 FROM users u WHERE u.id = grants.user_id);

-- The id of the user who knows the password because they set it; null: unknown. It is cleared when its user is given a
-- key that this user does not hold.
ALTER TABLE users ADD COLUMN password_set_by text;

-- Identities that came through a tenant's own chat application are kept apart from those of the platform's application.
-- Which of the older ones came through it is not known: users whose grants the tenant's admin could change anyway keep
-- their identity, and the sessions of that tenant's users end, since they do not say which application they came from.
INSERT INTO identities (tenant_id, provider, provider_user_id, user_id, created_at)
SELECT i.tenant_id, 'tenant-chat', i.provider_user_id, i.user_id, i.created_at
FROM identities i JOIN auth_providers p ON p.tenant_id = i.tenant_id AND p.provider = i.provider
WHERE i.provider = 'chat' AND NOT EXISTS (
  SELECT 1 FROM grants g WHERE g.user_id = i.user_id
  AND (g.tenant_id <> i.tenant_id
       OR g.key NOT IN ('TenantAdmin', 'TenantStaff', 'admin.access', 'data.read', 'data.write')));
UPDATE users SET session_epoch = session_epoch + 1
WHERE tenant_id IN (SELECT tenant_id FROM auth_providers WHERE provider = 'chat');
