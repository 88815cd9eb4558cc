#pragma once

#include <optional>
#include <string>

#include "base/secret_box.h"
#include "base/worker_pool.h"
#include "cache/cache.h"
#include "features/identity/provider_config.h"
#include "features/identity/sessions.h"
#include "storage/database.h"

namespace guildhall {

struct ChatSignInOptions {
  ChatOAuth environment;
  TenantId home_tenant;
  std::string admin_username;  // never a chat user's
  std::string own_callback;    // this installation's address of /auth/chat/callback
};

// What the cache keeps between start and callback, under a hash of the state.
struct OAuthState {
  std::string provider;
  TenantId tenant_id;
  std::string verifier;  // of PKCE
  std::string redirect_uri;
  std::optional<std::string> post_login_redirect;
  std::optional<std::string> browser;  // a hash of the cookie that the callback has to bring
};
BOOST_DESCRIBE_STRUCT(OAuthState, (), (provider, tenant_id, verifier, redirect_uri, post_login_redirect, browser))

// Sign-in through the chat platform: authorization code with PKCE, over real HTTP.
class ChatSignIn {
 public:
  ChatSignIn(Database& db, Cache& cache, WorkerPool& outbound, const SecretBox* secrets,
             const ChatSignInOptions& options);

  struct Start {
    TenantId tenant;
    std::optional<std::string> redirect_uri;         // instead of the configured one
    std::optional<std::string> post_login_redirect;  // a path of ours
    bool bind_to_browser = false;
  };
  struct Started {
    std::string authorization_url;
    std::string state;
    std::string browser;  // the cookie's value; empty: not bound
  };
  // Where the chat platform may send a sign-in's code: to this installation's own callback, or to an address that the
  // operator has listed. Anybody else who received it could finish the sign-in as that user.
  bool allows_redirect(std::string_view uri) const;

  // The state and the cookie live for CHAT_OAUTH_STATE_SECONDS.
  // Throws not_found for a tenant without a configuration, bad_request for a redirectUri that is not allowed.
  Task<Started> start(const Start& input);

  // Consumes the state: of many callers, one gets it. Throws bad_request INVALID_STATE unless it was given out for
  // this provider, tenant (if one is named) and browser.
  Task<OAuthState> take_state(const std::string& state, std::string_view named_tenant, std::string_view browser);

  // Exchanges the code, fetches the user, and makes or finds ours. Throws bad_request when the provider refuses, is
  // down or slow, or answers rubbish.
  Task<Session> finish(const OAuthState& state, const std::string& code, const std::string& request_id, Instant now);

 private:
  Task<ProviderConfig> config_of(const TenantId& tenant);

  Database& db_;
  Cache& cache_;
  WorkerPool& outbound_;
  const SecretBox* secrets_;
  ChatSignInOptions options_;
};

// Starts with one `/`, no `//`, no backslash, no control characters: nothing that a browser takes for another site.
bool is_own_path(std::string_view path);

}  // namespace guildhall
