#include "features/slice.h"

#include "api/call.h"
#include "base/failure.h"
#include "base/worker_pools.h"
#include "features/email/email_config.h"
#include "features/identity/identity_config.h"
#include "features/identity/permissions.h"
#include "features/identity/routes.h"
#include "features/identity/second_factor.h"
#include "features/identity/tenant_actions.h"
#include "features/identity/user_actions.h"
#include "features/tenancy/installation_config.h"
#include "features/tenancy/tenant_settings.h"

namespace guildhall {
namespace {

std::unique_ptr<Auth> make_auth(Database& db, Cache& cache, const Events& events, HashingWorkers& hashing,
                                OutboundWorkers& outbound, Metrics& metrics, const std::optional<SecretBox>& box,
                                const IdentityConfig& config, const EmailConfig& email,
                                const InstallationConfig& installation) {
  const SecretBox* secrets = box ? &*box : nullptr;
  return std::unique_ptr<Auth>(
      new Auth{.db = db,
               .events = events,
               .workers = hashing,
               .sessions = Sessions(cache, db,
                                    {.signing_secrets = config.session_signing_secrets,
                                     .ttl = std::chrono::seconds(config.session_ttl_seconds),
                                     .secure_cookies = installation.secure_cookies(),
                                     .members_have_data_access = config.member_data_access == MemberDataAccess::full,
                                     .home_tenant = installation.default_tenant}),
               .local = LocalSignIn(db, cache, hashing, metrics,
                                    {.default_tenant = installation.default_tenant,
                                     .admin_username = config.local_admin_username,
                                     .admin_password = config.local_admin_password,
                                     .secrets = secrets}),
               .local_enabled = config.local_auth_enabled,
               .sign_ins_per_minute = config.rate_limit_sign_in_per_min,
               .home_tenant = installation.default_tenant,
               .admin_username = config.local_admin_username,
               .admin_configured = config.local_auth_enabled && !config.local_admin_password.empty(),
               .chat = ChatSignIn(db, events, cache, outbound, secrets, metrics,
                                  {.environment = config.chat_oauth,
                                   .home_tenant = installation.default_tenant,
                                   .admin_username = config.local_admin_username,
                                   .own_callback = installation.public_base_url + "/auth/chat/callback"}),
               .chat_environment = config.chat_oauth,
               .secrets = secrets,
               .cache = cache,
               .email = email,
               .public_base_url = installation.public_base_url});
}

// A person who requires a second factor of others must have one, which shows that the installation can store them.
void check_required_second_factor(Tx& tx, const api::Call& call, const TenantSettings& before,
                                  const TenantSettings& after) {
  if (after.require_second_factor == before.require_second_factor) return;
  if (!call.caller->may(tenant_admin)) {
    throw forbidden("PERMISSION_DENIED", "Changing requireSecondFactor needs the permission TenantAdmin.");
  }
  if (after.require_second_factor && !has_second_factor(tx, call.user())) {
    throw bad_request("SECOND_FACTOR_MISSING", "Enrol a second factor yourself before you require it.");
  }
}

void add_settings_rules(SettingsRules& rules) {
  rules.checks.emplace_back(check_required_second_factor);
}

}  // namespace

Slice identity_slice() {
  return Slice("identity")
      .table({.name = "users",
              .other = "roles customer_id primary_customer_id password_hash password_set_by",
              .account = "username display_name email avatar_url chat_id username_key search_text"})
      .table({.name = "identities", .other = "provider user_id", .account = "provider_user_id"})
      .table({.name = "grants", .other = "user_id key user_tenant_id"})
      .table({.name = "roles", .other = "name description keys"})
      .table({.name = "role_keys", .other = "role key"})
      .table({.name = "api_tokens", .other = "name keys user_id user_tenant_id secret_hash api_version"})
      .table({.name = "invitations", .other = "keys user_id user_tenant_id secret_hash", .account = "name email"})
      .table({.name = "password_resets", .other = "user_id maker_id maker_tenant_id secret_hash"})
      .table({.name = "second_factors", .other = "user_id", .sealed = "sealed_secret", .sealed_for = "second-factor"})
      .table({.name = "recovery_codes", .other = "user_id code_hash"})
      .table({.name = "auth_providers",
              .other = "provider client_id redirect_uri scopes",
              .sealed = "client_secret",
              .sealed_for = "auth"})
      .per_loop(make_auth)
      .contributes(add_settings_rules)
      .routes(auth_routes)
      .routes(oauth_routes)
      .routes(session_routes)
      .routes(user_routes)
      .routes(api_token_routes)
      .routes(role_routes)
      .routes(invitation_routes)
      .routes(password_routes)
      .routes(second_factor_routes)
      .routes(tenant_routes)
      .events<TenantCreated, TenantDeleted, UserDeleted>();
}

}  // namespace guildhall
