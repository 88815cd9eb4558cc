-- What creating a customer writes. :id is a text and :n a number that no other row has; one text for SQLite and pgbench.
INSERT INTO customers (id, tenant_id, chat_id, chat_username, chat_display_name, source, is_active, addresses,
  created_at, updated_at, version, search_text)
VALUES (:id, 'default', :id, 'bench', 'Bench', 'CHAT', true, '[]', :n, :n, 1, :id || ' bench') ON CONFLICT DO NOTHING;
INSERT INTO audit_entries (id, tenant_id, at, actor_kind, actor_id, request_id, subject, subject_id, action, changes)
VALUES (:id, 'default', :n, 'USER', '01a1df9e-354c-736d-bacb-5c54450ad806', '01a1df9e-36b1-7104-92f3-793d26fc3e31',
  'customer', :id, 'created',
  '{"chatId":{"before":null,"after":"0-000000000001"},"chatUsername":{"before":null,"after":"bench"},"chatDisplayName":{"before":null,"after":"Bench"},"source":{"before":null,"after":"CHAT"},"isActive":{"before":null,"after":true},"addresses":{"before":null,"after":[]}}')
ON CONFLICT DO NOTHING;
