#include "api/api_version.h"
#include "api/resource.h"
#include "features/action.h"
#include "features/identity/api_token.h"
#include "features/identity/auth_replies.h"
#include "features/identity/grant_actions.h"
#include "features/identity/permissions.h"
#include "features/identity/role.h"
#include "features/identity/routes.h"
#include "features/identity/secret_text.h"
#include "features/identity/user_actions.h"

namespace guildhall {
namespace {

using api::Access, api::Call, http::Method, http::Reply, api::route;

struct NewApiToken {
  Text<100> name;
  std::vector<std::string> keys;
  std::optional<Instant> expires_at;
  std::optional<Date> api_version;
};
BOOST_DESCRIBE_STRUCT(NewApiToken, (), (name, keys, expires_at, api_version))

// A token in the reply to its creation.
struct CreatedApiToken {
  ApiTokenId id;
  std::string name;
  std::vector<std::string> keys;
  UserId user_id;
  Instant created_at;
  std::optional<Instant> expires_at;
  std::optional<Instant> last_used_at;
  std::optional<std::string> api_version;
  std::optional<std::string> token;  // shown once; null in a repeated reply
};
BOOST_DESCRIBE_STRUCT(CreatedApiToken, (),
                      (id, name, keys, user_id, created_at, expires_at, last_used_at, api_version, token))

Reply created(const ApiToken& token, std::optional<std::string> text) {
  return api::json_reply(201, CreatedApiToken{.id = token.id,
                                              .name = token.name,
                                              .keys = token.keys,
                                              .user_id = token.user_id,
                                              .created_at = token.created_at,
                                              .expires_at = token.expires_at,
                                              .last_used_at = token.last_used_at,
                                              .api_version = token.api_version,
                                              .token = std::move(text)});
}

ApiToken token_from(NewApiToken input, const Call& call, const TenantId& home_tenant) {
  std::vector<Problem> problems;
  if (input.keys.empty() || input.keys.size() > 50) problems.push_back({"keys", "must name 1 to 50 keys"});
  for (std::size_t i = 0; i < input.keys.size(); ++i) {
    if (!is_permission_key(input.keys[i])) {
      problems.push_back({fmt::format("keys[{}]", i), "must be 1 to 64 of A-Z a-z 0-9 . _ -"});
    } else if (input.keys[i] == platform_admin && call.tenant != home_tenant) {
      problems.push_back({fmt::format("keys[{}]", i), "PlatformAdmin is granted in the default tenant only"});
    }
  }
  if (input.expires_at && *input.expires_at <= call.now) problems.push_back({"expiresAt", "must be in the future"});
  if (input.api_version && !api::is_supported_version(*input.api_version, call.now)) {
    problems.push_back({"apiVersion", "must be a version that is supported: not older than a year, not in the future"});
  }
  if (!problems.empty()) throw invalid_fields(std::move(problems));
  for (const std::string& key : input.keys) {
    if (!holds_itself(call.caller->permissions, key)) {
      throw forbidden("PERMISSION_DENIED", fmt::format("You do not hold {} yourself.", key));
    }
  }
  std::sort(input.keys.begin(), input.keys.end());
  input.keys.erase(std::unique(input.keys.begin(), input.keys.end()), input.keys.end());
  return {.id = ApiTokenId(make_uuid(call.now)),
          .tenant_id = {call.tenant},
          .name = std::move(input.name.value),
          .keys = std::move(input.keys),
          .user_id = call.user(),
          .user_tenant_id = {},
          .user_epoch = {},
          .secret_hash = {},
          .created_at = call.now,
          .expires_at = input.expires_at,
          .last_used_at = std::nullopt,
          .api_version = input.api_version ? std::optional(to_string(*input.api_version)) : std::nullopt};
}

Task<Reply> post_token(Call& call, Auth& auth) {
  ApiToken token;
  api::judged_body<NewApiToken>(call,
                                [&](const NewApiToken& input) { token = token_from(input, call, auth.home_tenant); });
  const std::string secret = make_secret();
  token.secret_hash.value = hash_of_secret(secret);
  const Reply stored = co_await api::write_once(call, auth.db, [&](Tx& tx) {
    delete_expired_api_tokens(tx, call.tenant, call.now);
    if (std::ssize(tx.all(api_tokens_after(call.tenant, {}, api_tokens_max))) >= api_tokens_max) {
      throw bad_request("TOO_MANY_TOKENS", fmt::format("A tenant has at most {} tokens.", api_tokens_max));
    }
    for (const std::string& key : token.keys) {
      if (tx.one(role_by_name(call.tenant, key)))
        throw invalid_field("keys", fmt::format("{} is a role: name its keys instead", key));
    }
    const User maker = user_of_caller(tx, call, auth.home_tenant);
    token.user_tenant_id.value = maker.tenant_id;
    token.user_epoch.value = maker.session_epoch;
    insert_api_token(tx, token);
    action_of(call, tx).audit_created({"token", token.id.text()}, token);
    return created(token, std::nullopt);
  });
  co_return api::is_replayed(stored) ? stored : created(token, token_text(token, secret));
}

Task<Reply> list_tokens(Call& call, Auth& auth) {
  return api::list_page(call, auth.db, api_tokens_after);
}

// Revokes the token: the next request with it gets 401.
Task<Reply> delete_token(Call& call, Auth& auth) {
  co_return co_await api::write_once(call, auth.db, [&](Tx& tx) {
    const auto token = tx.one(api_token_by_id(call.tenant, ApiTokenId(call.param(0))));
    if (!token) throw not_found("Token");
    for (const std::string& key : token->keys) {
      if (token->user_id == call.user() || holds(call.caller->permissions, key)) continue;
      if (is_custom_key(key) && call.caller->may(tenant_admin)) continue;
      throw forbidden("PERMISSION_DENIED", fmt::format("The token has {}, which you do not hold.", key));
    }
    if (!delete_api_token(tx, *token)) throw not_found("Token");
    action_of(call, tx).audit_deleted({"token", token->id.text()}, *token);
    return api::no_content();
  });
}

}  // namespace

std::vector<api::Route> api_token_routes(Auth& auth) {
  return {
      route(Method::get, "/api/admin/tokens", Access::admin, "The API tokens, newest first", list_tokens, auth)
          .takes_query<api::ListQuery>()
          .gives<api::Page<ApiToken>>(200, "A page of tokens, without their secrets."),
      route(Method::post, "/api/admin/tokens", Access::admin, "Make an API token for a program", post_token, auth)
          .by_person()
          .takes<NewApiToken>()
          .gives<CreatedApiToken>(201, "The token; its text is shown only in this reply."),
      route(Method::del, "/api/admin/tokens/:id", Access::admin, "Revoke an API token", delete_token, auth)
          .by_person()
          .gives(204, "Revoked; the token does not work any more."),
  };
}

}  // namespace guildhall
