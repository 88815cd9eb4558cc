#include "features/identity/identity_config.h"

#include "base/config_values.h"
#include "features/tenancy/installation_config.h"

namespace guildhall {
namespace {

constexpr std::size_t signing_secret_chars_min = 16;
constexpr std::size_t admin_password_chars_min = 8;
constexpr std::string_view signing_secret_advice =
    "set it to a long random text, the same on every node (for example from: openssl rand -hex 32)";

MemberDataAccess parse_member_data_access(std::string_view text) {
  if (text != "none" && text != "full") throw std::invalid_argument("must be none or full");
  return text == "full" ? MemberDataAccess::full : MemberDataAccess::none;
}

template <class T>
auto in_chat_oauth(T ChatOAuth::*member) {
  return [member](IdentityConfig& config) -> T& { return config.chat_oauth.*member; };
}

}  // namespace

std::vector<VariableOf<IdentityConfig>> IdentityConfig::variables() {
  return {
      {"SESSION_SIGNING_SECRET", "", &IdentityConfig::session_signing_secrets, parse_secrets,
       "Signs the session cookie; several separated by commas: the first signs, all verify. Required in production; in "
       "development one is generated and stored in `DATA_DIR`.",
       Exposure::secrets, required_secrets(signing_secret_chars_min, signing_secret_advice)},
      {"SESSION_TTL_SECONDS", "28800", &IdentityConfig::session_ttl_seconds, integer(60, 2'592'000),
       "How long a session lasts: 60 to 2592000."},
      {"MEMBER_DATA_ACCESS", "none", &IdentityConfig::member_data_access, parse_member_data_access,
       "`full` gives every session of a tenant `data.read` and `data.write`; for private installations."},
      {"LOCAL_AUTH_ENABLED", "false", &IdentityConfig::local_auth_enabled, parse_bool,
       "Sign-in with username and password."},
      {"LOCAL_ADMIN_USERNAME", "admin", &IdentityConfig::local_admin_username, parse_text,
       "The default admin's username."},
      {"LOCAL_ADMIN_PASSWORD", "", &IdentityConfig::local_admin_password, parse_text,
       "The default admin's password; without one it cannot sign in.", Exposure::password,
       secret_chars_min(admin_password_chars_min)},
      {"RATE_LIMIT_SIGN_IN_PER_MIN", "300", &IdentityConfig::rate_limit_sign_in_per_min, parse_rate_per_minute,
       "Sign-ins with username and password a minute from one address."},
      {"CHAT_OAUTH_CLIENT_ID", "", in_chat_oauth(&ChatOAuth::client_id), parse_text,
       "Sign-in through the chat platform: the application's client id."},
      {"CHAT_OAUTH_CLIENT_SECRET", "", in_chat_oauth(&ChatOAuth::client_secret), parse_text,
       "Sign-in through the chat platform: the application's client secret.", Exposure::secret},
      {"CHAT_OAUTH_REDIRECT_URI", "", in_chat_oauth(&ChatOAuth::redirect_uri), parse_url,
       "Where the platform sends people back to: the public address of `/auth/chat/callback`."},
      {"CHAT_OAUTH_REDIRECT_URIS", "", in_chat_oauth(&ChatOAuth::redirect_uris), parse_urls,
       "Other redirect addresses that a caller may ask for, comma-separated."},
      {"CHAT_OAUTH_SCOPES", "identify email", in_chat_oauth(&ChatOAuth::scopes), parse_text,
       "The OAuth scopes that are requested."},
      {"CHAT_OAUTH_AUTHORIZE_URL", "https://discord.com/oauth2/authorize", in_chat_oauth(&ChatOAuth::authorize_url),
       parse_url, "The platform's page that asks for consent."},
      {"CHAT_OAUTH_TOKEN_URL", "https://discord.com/api/v10/oauth2/token", in_chat_oauth(&ChatOAuth::token_url),
       parse_url, "The platform's address that exchanges codes for tokens."},
      {"CHAT_OAUTH_USER_URL", "https://discord.com/api/v10/users/@me", in_chat_oauth(&ChatOAuth::user_url), parse_url,
       "The platform's address that returns the user of a token."},
      {"CHAT_OAUTH_TIMEOUT_MS", "5000", in_chat_oauth(&ChatOAuth::timeout_ms), integer(100, 60'000),
       "How long the platform may take to answer: 100 to 60000."},
      {"CHAT_OAUTH_STATE_SECONDS", "600", in_chat_oauth(&ChatOAuth::state_seconds), integer(1, 3'600),
       "How long a user may take at the platform before the sign-in has to begin again: 1 to 3600."},
      {"RATE_LIMIT_CHAT_SIGN_IN_PER_MIN", "60", in_chat_oauth(&ChatOAuth::rate_limit_per_min), parse_rate_per_minute,
       "Requests a minute from one address to begin or to finish a sign-in through the chat platform."},
  };
}

}  // namespace guildhall
