#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/config.h"

namespace guildhall {

enum class MemberDataAccess { none, full };

// How users sign in through the chat platform, for tenants that have not configured it themselves.
struct ChatOAuth {
  std::string client_id;  // empty: only users of tenants with their own configuration can sign in this way
  std::string client_secret;
  std::string redirect_uri;
  std::vector<std::string> redirect_uris;  // alternatives that a caller may choose
  std::string scopes;
  std::string authorize_url, token_url, user_url;  // for every tenant
  std::int64_t timeout_ms = 0;
  std::int64_t state_seconds = 0;
  std::int64_t rate_limit_per_min = 0;  // of one address
};

// The configuration of sessions and sign-in.
struct IdentityConfig {
  std::vector<std::string> session_signing_secrets;  // the first signs, all verify
  std::int64_t session_ttl_seconds = 0;
  MemberDataAccess member_data_access = MemberDataAccess::none;
  bool local_auth_enabled = false;
  std::string local_admin_username;
  std::string local_admin_password;             // empty: the default admin cannot sign in
  std::int64_t rate_limit_sign_in_per_min = 0;  // of one address, for sign-in with a password
  ChatOAuth chat_oauth;

  static std::vector<VariableOf<IdentityConfig>> variables();
};

}  // namespace guildhall
