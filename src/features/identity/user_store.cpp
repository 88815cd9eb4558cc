#include "features/identity/user_store.h"

#include "base/text.h"
#include "features/identity/identity_import.h"
#include "storage/record_table.h"
#include "storage/search_text.h"

namespace guildhall {
namespace {

void require_free_username(std::string_view constraint) {
  if (constraint == "users_username_key" || constraint == "users_username_folded_key") throw username_taken();
}

const RecordTable<User> user_table("users", {.on_conflict = "DO NOTHING", .violated = require_free_username});
const std::string& select_user = user_table.select;

}  // namespace

Select<User> user_by_id(const TenantId& tenant, const UserId& id) {
  return user_table.by_id(tenant, id);
}

static const Sql anywhere_sql(select_user + " WHERE id = $1");

Select<User> user_anywhere(const UserId& id) {
  return {{&anywhere_sql, params(id)}, read_row<User>};
}

static const Sql by_username_sql(select_user +
                                 " WHERE tenant_id = $1 AND (username = $2 OR username_key = $3)"
                                 " ORDER BY username = $2 DESC LIMIT 1");

Select<User> user_by_username(const TenantId& tenant, const std::string& username) {
  return {{&by_username_sql, params(tenant, username, folded(username))}, read_row<User>};
}

static const Sql by_identity_sql(select_user +
                                 " WHERE tenant_id = $1 AND id = (SELECT user_id FROM identities"
                                 " WHERE tenant_id = $1 AND provider = $2 AND provider_user_id = $3)");

Select<User> user_by_identity(const TenantId& tenant, std::string_view provider, const std::string& provider_user_id) {
  return {{&by_identity_sql, params(tenant, std::string(provider), provider_user_id)}, read_row<User>};
}

static const Sql tenant_of_identity_sql(
    select_from<Tenant>("tenants") +
    " WHERE tenant_id = ("
    "SELECT i.tenant_id FROM identities i JOIN tenants t ON t.tenant_id = i.tenant_id"
    " WHERE i.provider = $1 AND i.provider_user_id = $2 AND t.deleted_at IS NULL ORDER BY i.created_at DESC LIMIT 1)");

Select<Tenant> tenant_of_identity(std::string_view provider, const std::string& provider_user_id) {
  return {{&tenant_of_identity_sql, params(std::string(provider), provider_user_id)}, read_row<Tenant>};
}

static const Listing listing =
    Listing::of<UserQuery>({.table = "users", .columns = columns<User>(), .unique = {"username"}});

const Listing& user_listing() {
  return listing;
}

static const SearchTextFill<User> fill("users");

std::int64_t fill_user_search(Tx& tx, const JobFailures& failures) {
  return fill.fill_some(tx, search_text_of, failures);
}

bool insert_user(Tx& tx, const User& user) {
  User searchable = user;
  searchable.search_text = {search_text_of(user)};
  return user_table.insert(tx, searchable);
}

void update_user(Tx& tx, User& user) {
  user.search_text = {search_text_of(user)};
  user_table.update(tx, user);
}

struct UnkeyedUser {
  TenantId tenant_id;
  UserId id;
  std::string username;
};
BOOST_DESCRIBE_STRUCT(UnkeyedUser, (), (tenant_id, id, username))

static const Sql unkeyed_sql(select_from<UnkeyedUser>("users") +
                             " WHERE username_key IS NULL ORDER BY created_at, id LIMIT 500");
static const Sql set_key_sql(
    "UPDATE users SET username_key = $3 WHERE tenant_id = $1 AND id = $2 AND username_key IS NULL"
    " AND NOT EXISTS (SELECT 1 FROM users AS other WHERE other.tenant_id = $1 AND other.username_key = $3)");

static bool fill_some_username_keys(Tx& tx) {
  const auto users = tx.all(Select<UnkeyedUser>{{&unkeyed_sql, {}}, read_row<UnkeyedUser>});
  for (const UnkeyedUser& user : users) {
    const std::string key = folded(user.username);
    if (tx.run({&set_key_sql, params(user.tenant_id, user.id, key)}) == 1) continue;
    tx.run({&set_key_sql, params(user.tenant_id, user.id, key + "\n" + user.id.text())});
  }
  return !users.empty();
}

void fill_username_keys(Storage& storage) {
  for (bool more = true; more;) {
    try {
      storage.write_now([&](Tx& tx) { more = fill_some_username_keys(tx); });
    } catch (const ConstraintViolation&) {
      // Another node that starts at the same time has just set the same key.
    }
  }
}

static const Sql lock_user_sql("UPDATE users SET id = id WHERE tenant_id = $1 AND id = $2");

void lock_user(Tx& tx, const TenantId& tenant, const UserId& id) {
  tx.run({&lock_user_sql, params(tenant, id)});
}

static const Sql delete_identities_sql("DELETE FROM identities WHERE tenant_id = $1 AND user_id = $2");
static const Sql delete_reset_sql("DELETE FROM password_resets WHERE tenant_id = $1 AND user_id = $2");
static const Sql delete_factor_sql("DELETE FROM second_factors WHERE tenant_id = $1 AND user_id = $2");
static const Sql delete_codes_sql("DELETE FROM recovery_codes WHERE tenant_id = $1 AND user_id = $2");

void delete_user(Tx& tx, const User& user) {
  tx.later({&delete_identities_sql, params(user.tenant_id, user.id)});
  tx.later({&delete_reset_sql, params(user.tenant_id, user.id)});
  tx.later({&delete_factor_sql, params(user.tenant_id, user.id)});
  tx.later({&delete_codes_sql, params(user.tenant_id, user.id)});
  user_table.erase(tx, user);
}

static const Sql insert_identity_sql(
    "INSERT INTO identities (tenant_id, provider, provider_user_id, user_id, created_at) VALUES ($1, $2, $3, $4, $5)"
    " ON CONFLICT (tenant_id, provider, provider_user_id) DO NOTHING");

bool insert_identity(Tx& tx, const TenantId& tenant, std::string_view provider, const std::string& provider_user_id,
                     const UserId& user, Instant now) {
  return tx.run({&insert_identity_sql, params(tenant, std::string(provider), provider_user_id, user, now)}) == 1;
}

static const Sql age_identities_sql(R"(
  UPDATE identities SET created_at = (SELECT MIN(elsewhere.created_at) - 1 FROM identities elsewhere
      WHERE elsewhere.provider = identities.provider AND elsewhere.provider_user_id = identities.provider_user_id
        AND elsewhere.tenant_id <> $1)
    WHERE tenant_id = $1 AND EXISTS (SELECT 1 FROM identities elsewhere
      WHERE elsewhere.provider = identities.provider AND elsewhere.provider_user_id = identities.provider_user_id
        AND elsewhere.tenant_id <> $1 AND elsewhere.created_at <= identities.created_at))");

void age_identities(Tx& tx, const TenantId& tenant) {
  tx.run({&age_identities_sql, params(tenant)});
}

}  // namespace guildhall
