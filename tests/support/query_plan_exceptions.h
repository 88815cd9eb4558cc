#pragma once

#include <set>
#include <string>
#include <vector>

// The statements for which the tests of query plans make an exception, each recognized by a part of its text.
namespace guildhall::test::query_plans {

using Words = std::vector<std::string>;

// Statements that only one of the engines understands.
inline const Words only_sqlite{"pragma_", "PRAGMA", "sqlite_master", "EXPLAIN"};
inline const Words only_postgresql{"pg_", "set_config", "FOR UPDATE", "clock_timestamp", "LOCK TABLE", "EXPLAIN"};

// Statements that may read all rows of a table or of an index, each with the reason.
inline const Words may_read_everything{
    // The metrics' count of pending messages ends at its limit.
    "SELECT topic, due_at FROM outbox_messages WHERE status = 'PENDING' LIMIT",
    // Once, when the only process that uses an embedded database starts.
    "UPDATE outbox_messages SET claimed_until = NULL, due_at = $1",
    // Commands of an operator.
    "SELECT COUNT(*) AS rows_in_table FROM",
    "FROM orders a JOIN orders b ON b.id = a.id",
    "FROM payments a JOIN payments b ON b.id = a.id",
    "FROM refunds a JOIN refunds b ON b.id = a.id",
    "SELECT tenant_id FROM audit_entries UNION",
    "SELECT tenant_id FROM fund_balances UNION",
    // A partial index of the users that have no key yet: none after the first start.
    "FROM users WHERE username_key IS NULL ORDER BY",
    // A partial index of the deleted tenants whose pictures are still to be deleted.
    "SELECT tenant_id FROM media_usage WHERE deleted ORDER BY",
    // The same for rows that have no search text yet.
    "WHERE search_text IS NULL LIMIT",
    "SELECT COUNT(*) FROM orders WHERE search_text IS NULL",
    "SELECT COUNT(*) FROM customers WHERE search_text IS NULL",
    "SELECT COUNT(*) FROM products WHERE search_text IS NULL",
    "SELECT COUNT(*) FROM users WHERE search_text IS NULL",
    // A few rows for the whole installation.
    "FROM schema_migrations",
    "FROM sqlite_master",
    "FROM pg_class",
    "FROM pg_stat_user_tables",
    // Reads one row.
    "WHERE NOT EXISTS (SELECT 1 FROM tenants)",
};

// Statements that may sort before they take the first rows, since there are few to sort.
inline const Words may_sort{
    "ORDER BY created_at, id LIMIT 1",                                      // the messages that wait for one buyer
    "FROM chat_limits WHERE tenant_id = $1 AND bucket IN ($2, $3)",         // two rows
    "FROM audit_entries WHERE tenant_id = $1 AND sequence IS NULL",         // those of a moment; none on SQLite
    "FROM shipments WHERE provider_shipment_id = $1",                       // those that share a provider's id
    "FROM shipments WHERE tracker_id = $1",                                 // the same
    "FROM shipments WHERE tracking_number = $1",                            // carriers use a number again after years
    "FROM users WHERE tenant_id = $1 AND (username = $2 OR username_key",   // two rows
    "FROM billing_accounts WHERE tenant_id = '' AND owner_tenant_id = $1",  // one tenant's accounts
    "FROM guild_bindings WHERE tenant_id = $1",                             // one tenant's servers
    "FROM nodes WHERE tenant_id = $1",                                      // the server processes
    "FROM chat_binding_codes WHERE tenant_id = $1 ORDER BY",                // at most twenty
};

// Tables that grow with a shop's business: a statement must not read all rows of a tenant in them.
inline const std::set<std::string> tables_that_grow{"entitlements"};

// Statements for which PostgreSQL has two indexes of the same cost while its tables are empty.
inline const Words undecided_without_rows{"AND type = 'CHAT_ROLE' AND chat_user_id = $2",
                                          "FROM tenant_origins WHERE tenant_id = $2 ORDER BY origin"};

// Statements that access a table without the tenant, each with the reason. When the tables are distributed by tenant,
// such a statement is sent to every part.
inline const Words across_tenants{
    // Retention deletes the oldest rows of all tenants, a limited number at a time.
    "FROM chat_carts WHERE expires_at <",
    "FROM idempotency_records WHERE created_at <=",
    "FROM idempotency_bytes WHERE hour <=",
    "FROM outbox_messages WHERE finished_at IS NOT NULL",
    "FROM message_log WHERE created_at <",
    "FROM webhook_deliveries WHERE created_at <",
    "FROM webhook_events WHERE received_at <",
    // Jobs look for the next tenant or record that is due.
    "FROM tenants WHERE tenant_id > $1",
    "FROM tenants t LEFT JOIN tenant_settings s ON",
    "FROM audit_entries WHERE sequence IS NULL AND tenant_id > $1",
    "FROM report_entries WHERE tenant_id > $1",
    "FROM report_states WHERE is_built = false AND tenant_id > $1",
    "FROM memberships WHERE due_at <= $1",
    "FROM media_usage WHERE deleted ORDER BY",
    "WITH RECURSIVE lanes(tenant_id, lane)",
    "SELECT topic, due_at FROM outbox_messages WHERE status = 'PENDING' LIMIT",
    "UPDATE outbox_messages SET claimed_until = NULL, due_at = $1",
    // Once after an upgrade: rows that have no search text or key yet.
    "WHERE search_text IS NULL",
    "FROM users WHERE username_key IS NULL",
    // A message, a parcel or a person arrives from outside, and its tenant is to be found.
    "FROM guild_bindings WHERE guild_id = $1",
    "FROM shipments WHERE provider_shipment_id = $1",
    "FROM shipments WHERE tracker_id = $1",
    "FROM shipments WHERE tracking_number = $1",
    "WHERE i.provider = $1 AND i.provider_user_id = $2",
    // The preflight of a browser has no tenant.
    "FROM tenant_origins WHERE origin = $1",
    "FROM chat_binding_codes WHERE code_hash = $1",
    // Somebody signs in with the name of a shop.
    "FROM tenants WHERE LOWER(SUBSTR(name, 1, 200)) =",
    // The public address of a picture has no tenant.
    "FROM media_files WHERE id = $1",
    "WHERE f.id = $1 AND NOT u.deleted",
    // A user of one tenant may hold grants in others.
    "FROM users WHERE id = $1",
    "FROM users WHERE id = $2",
    "grants WHERE user_id = $1 AND user_tenant_id = $2",
    "WHERE g.user_id = $1 AND g.user_tenant_id = $2",
    "FROM alert_settings WHERE user_tenant_id = $1 AND user_id = $2",
    "FROM push_subscriptions WHERE user_tenant_id = $1 AND user_id = $2",
    "FROM users u JOIN grants g ON g.user_id = u.id AND g.tenant_id <> u.tenant_id",
    // The platform's administrators list all tenants.
    "FROM tenants WHERE deleted_at IS NULL AND (created_at, tenant_id) <",
    "WHERE NOT EXISTS (SELECT 1 FROM tenants)",
    // Commands of an operator: import, verify, rekey, copy, migrate.
    "UPDATE identities SET created_at = (SELECT MIN(elsewhere.created_at)",
    "FROM media_files a JOIN media_files b ON b.id = a.id",
    "FROM users a JOIN users b ON b.id = a.id",
    "FROM orders a JOIN orders b ON b.id = a.id",
    "FROM payments a JOIN payments b ON b.id = a.id",
    "FROM refunds a JOIN refunds b ON b.id = a.id",
    "SELECT tenant_id FROM audit_entries UNION",
    "SELECT tenant_id FROM fund_balances UNION",
    "WHERE (tenant_id, id) > ($1, $2) AND topic = $3",
    "SELECT COUNT(*) AS rows_in_table FROM",
};

}  // namespace guildhall::test::query_plans
