#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/api.h"
#include "features/identity/user.h"
#include "storage/database.h"
#include "storage/position.h"

// API tokens, with which programs sign in. A token is valid in one tenant and has the permission keys that it was
// given, as long as the user who made it still holds them.
namespace guildhall {

using ApiTokenId = Id<struct ApiTokenTag>;

constexpr std::int64_t api_tokens_max = 100;  // in one tenant

struct ApiToken {
  ApiTokenId id;
  Hidden<TenantId> tenant_id;
  std::string name;
  std::vector<std::string> keys;
  UserId user_id;  // the user who made it
  Hidden<TenantId> user_tenant_id;
  Hidden<std::int64_t> user_epoch;  // the user's session_epoch: ending all of the user's sessions ends the token
  Hidden<std::string> secret_hash;
  Instant created_at;
  std::optional<Instant> expires_at;         // null: never
  std::optional<Instant> last_used_at;       // to the minute; null: never
  std::optional<std::string> api_version{};  // null: the present one
};
BOOST_DESCRIBE_STRUCT(ApiToken, (),
                      (id, tenant_id, name, keys, user_id, user_tenant_id, user_epoch, secret_hash, created_at,
                       expires_at, last_used_at, api_version))

Select<ApiToken> api_token_by_id(const TenantId& tenant, const ApiTokenId& id);
Select<ApiToken> api_tokens_after(const TenantId& tenant, const Position& position, std::int64_t limit);
void insert_api_token(Tx& tx, const ApiToken& token);

// Returns false if the token does not exist (any more).
bool delete_api_token(Tx& tx, const ApiToken& token);

void delete_expired_api_tokens(Tx& tx, const TenantId& tenant, Instant now);

// Like holds(), but a custom key has to be in the list: a PlatformAdmin may act without a custom key, but must not give
// it to a token.
bool holds_itself(const std::vector<std::string>& permission_keys, const std::string& key);

// Returns the text that a program sends. It contains the tenant, the token's id and the secret.
std::string token_text(const ApiToken& token, std::string_view secret);

// Returns the caller that sends `Authorization: Bearer <token>`, or nullopt if the token is unknown, expired or
// revoked, or if its user no longer exists. The permissions are those keys of the token that the user holds at this
// moment.
Task<std::shared_ptr<const api::Caller>> caller_with_token(Database& db, std::string_view token,
                                                           const TenantId& home_tenant, Instant now);

}  // namespace guildhall
