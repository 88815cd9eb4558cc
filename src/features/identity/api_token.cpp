#include "features/identity/api_token.h"

#include "base/failure.h"
#include "features/identity/grants.h"
#include "features/identity/permissions.h"
#include "features/identity/secret_text.h"
#include "features/identity/user_store.h"
#include "features/tenancy/tenant.h"
#include "storage/record_table.h"

namespace guildhall {
namespace {

const RecordTable<ApiToken> token_table("api_tokens");
constexpr std::string_view token_prefix = "gh_";
constexpr std::chrono::minutes use_noted_every{1};

}  // namespace

Select<ApiToken> api_token_by_id(const TenantId& tenant, const ApiTokenId& id) {
  return token_table.by_id(tenant, id);
}

static const Sql tokens_after_sql(
    token_table.select +
    " WHERE tenant_id = $1 AND (created_at, id) < ($2, $3) ORDER BY created_at DESC, id DESC LIMIT $4");

Select<ApiToken> api_tokens_after(const TenantId& tenant, const Position& position, std::int64_t limit) {
  return {{&tokens_after_sql, params(tenant, position.created_at, position.id, limit)}, read_row<ApiToken>};
}

void insert_api_token(Tx& tx, const ApiToken& token) {
  tx.later(token_table.insertion(token));
}

bool delete_api_token(Tx& tx, const ApiToken& token) {
  return token_table.erase(tx, token);
}

static const Sql delete_expired_tokens_sql("DELETE FROM api_tokens WHERE tenant_id = $1 AND expires_at <= $2");

void delete_expired_api_tokens(Tx& tx, const TenantId& tenant, Instant now) {
  tx.run({&delete_expired_tokens_sql, params(tenant, now)});
}

bool holds_itself(const std::vector<std::string>& permission_keys, const std::string& key) {
  if (!is_custom_key(key)) return holds(permission_keys, key);
  return std::find(permission_keys.begin(), permission_keys.end(), key) != permission_keys.end();
}

static const Sql use_sql(
    "UPDATE api_tokens SET last_used_at = $3 WHERE tenant_id = $1 AND id = $2"
    " AND (last_used_at IS NULL OR last_used_at < $3)");

static Task<> note_use(Database& db, const ApiToken& token, Instant now) {
  if (token.last_used_at && *token.last_used_at + use_noted_every > now) co_return;
  try {
    co_await db.write([&](Tx& tx) { tx.later({&use_sql, params(token.tenant_id.value, token.id, now)}); });
  } catch (const Failure&) {
    // The time of the last use is not essential, so a token also works while the database accepts no writes.
  }
}

std::string token_text(const ApiToken& token, std::string_view secret) {
  return secret_text(token_prefix, token.tenant_id, token.id.text(), secret);
}

Task<std::shared_ptr<const api::Caller>> caller_with_token(Database& db, std::string_view text,
                                                           const TenantId& home_tenant, Instant now) {
  const auto parts = parse_secret_text(token_prefix, text);
  if (!parts) co_return nullptr;
  const auto token = co_await db.one(api_token_by_id(parts->tenant, ApiTokenId(parts->id)));
  if (!token || !is_secret_of(token->secret_hash.value, parts->secret)) co_return nullptr;
  if (token->expires_at && *token->expires_at <= now) co_return nullptr;
  const auto user = co_await db.one(user_by_id(token->user_tenant_id, token->user_id));
  const auto tenant = co_await db.one(tenant_by_id(token->tenant_id));
  if (!user || !tenant || user->session_epoch != token->user_epoch) co_return nullptr;
  const auto held =
      with_implied(co_await db.all(grants_of(token->tenant_id, token->user_tenant_id, token->user_id, home_tenant)));
  std::vector<std::string> keys = token->keys;
  if (token->tenant_id != home_tenant) std::erase(keys, platform_admin);
  api::Caller caller{.session_id = {},
                     .user = token->user_id,
                     .tenant = token->tenant_id,
                     .permissions = with_implied(keys),
                     .token_id = token->id.text(),
                     .api_version = token->api_version.value_or("")};
  std::erase_if(caller.permissions, [&](const std::string& key) { return !holds_itself(held, key); });
  co_await note_use(db, *token, now);
  co_return std::make_shared<const api::Caller>(std::move(caller));
}

}  // namespace guildhall
