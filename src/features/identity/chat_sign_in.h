#pragma once

#include <optional>
#include <string>

#include "base/metrics.h"
#include "base/secret_box.h"
#include "base/worker_pool.h"
#include "cache/cache.h"
#include "features/identity/provider_config.h"
#include "features/identity/sessions.h"
#include "outbox/events.h"
#include "storage/database.h"

namespace guildhall {

struct ChatSignInOptions {
  ChatOAuth environment;
  TenantId home_tenant;
  std::string admin_username;  // reserved: no chat user gets it
  std::string own_callback;    // the URL of this installation's /auth/chat/callback
};

// Stored in the cache between start and callback, under a hash of the state.
struct OAuthState {
  std::string provider;
  TenantId tenant_id;
  std::string verifier;  // the PKCE code verifier
  std::string redirect_uri;
  std::optional<std::string> post_login_redirect;
  std::optional<std::string> browser;  // a hash of the cookie that the callback must send
};
BOOST_DESCRIBE_STRUCT(OAuthState, (), (provider, tenant_id, verifier, redirect_uri, post_login_redirect, browser))

// Sign-in through the chat platform: authorization code with PKCE, over real HTTP.
class ChatSignIn {
 public:
  ChatSignIn(Database& db, const Events& events, Cache& cache, WorkerPool& outbound, const SecretBox* secrets,
             Metrics& metrics, const ChatSignInOptions& options);

  struct Start {
    TenantId tenant;
    std::optional<std::string> redirect_uri;         // replaces the configured one
    std::optional<std::string> post_login_redirect;  // a path of this server
    bool bind_to_browser = false;
  };
  struct AddServer {
    std::string application;
    std::int64_t permissions = 0;
    std::string own_callback;
    std::string state{};     // empty, as the verifier is: only adds the bot
    std::string verifier{};  // of PKCE
  };
  struct Started {
    std::string authorization_url;
    std::string state;
    std::string browser;  // the cookie's value; empty: not bound
  };
  // Whether the chat platform may send a sign-in's code to this URL: to this installation's own callback, or to one
  // that the operator has listed. Whoever receives the code can complete the sign-in as that user.
  bool allows_redirect(std::string_view uri) const;

  // Describes the fault of the addresses of a sign-in, for any tenant.
  std::vector<Problem> problems_of(const std::optional<std::string>& redirect_uri,
                                   const std::optional<std::string>& post_login_redirect) const;

  // The state and the cookie are valid for CHAT_OAUTH_STATE_SECONDS.
  // Throws not_found for a tenant without a configuration, bad_request for a redirectUri that is not allowed.
  Task<Started> start(const Start& input);

  // The client that completes a sign-in.
  struct Browser {
    std::string_view cookie;  // that start() has set
    bool known = false;       // the client is certainly a browser
  };
  // Consumes the state: of concurrent calls one succeeds. Throws bad_request INVALID_STATE unless it was created
  // for this provider, tenant (if one is named) and browser. A browser cannot use a state that is bound to none:
  // whoever began that sign-in could otherwise replace the session of everybody who opens a link.
  Task<OAuthState> take_state(const std::string& state, std::string_view named_tenant, const Browser& browser);

  // Exchanges the code, reads the chat profile, and finds or creates the user. Throws bad_request if the provider
  // refuses, does not answer in time, or sends an invalid reply. The outcome is counted, and a failure logged.
  Task<Session> finish(const OAuthState& state, const std::string& code, const std::string& request_id, Instant now);

  // The platform's page that adds the installation's bot to a chat server and returns here with `state`. Without a
  // configured client secret nothing can be confirmed here, and the page leads nowhere afterwards.
  static std::string add_server_url(const ChatOAuth& environment, const AddServer& link);

  // Asks the platform to which chat server the user has added the bot; only members who may manage a server can do
  // that. Nothing if it does not confirm one.
  Task<std::optional<std::string>> added_server(const std::string& code, const std::string& verifier);

 private:
  Task<ProviderConfig> config_of(const TenantId& tenant);
  Task<Session> exchange(const OAuthState& state, const std::string& code, const std::string& request_id, Instant now);

  Database& db_;
  const Events& events_;
  Cache& cache_;
  WorkerPool& outbound_;
  const SecretBox* secrets_;
  Counter& succeeded_;
  Counter& failed_;
  ChatSignInOptions options_;
};

// Whether it starts with one `/` and contains no `//`, backslash or control character, so that no browser can interpret
// it as the address of another site.
bool is_own_path(std::string_view path);

}  // namespace guildhall
