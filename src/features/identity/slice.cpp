#include "features/slice.h"

#include "base/worker_pools.h"
#include "features/email/email_config.h"
#include "features/identity/identity_config.h"
#include "features/identity/routes.h"
#include "features/identity/tenant_actions.h"
#include "features/tenancy/installation_config.h"

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

}  // namespace

Slice identity_slice() {
  return Slice("identity")
      .per_loop(make_auth)
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
      .events<TenantCreated, TenantDeleted>();
}

}  // namespace guildhall
